import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { isolated } from './isolated.ts'

/** The name of a colleague with the roles at that time, if they are known. */
export function useStaffName(): (name: string, roles: readonly StaffRole[] | undefined) => string {
  const { t } = useTranslation('desk')
  return (name, roles = []) => [isolated(name), ...roles.map((role) => t(`roles.${role}`))].join(' · ')
}

/** Any of some roles, in words: `Finance or Lead`. */
export function useRoleNames(): (roles: readonly StaffRole[]) => string {
  const { t } = useTranslation('desk')
  const names = new Intl.ListFormat(useLanguage(), { type: 'disjunction' })
  return (roles) => names.format(roles.map((role) => t(`roles.${role}`)))
}
