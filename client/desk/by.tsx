import { useTranslation } from '#client/platform/i18n.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { isolated } from './isolated.ts'

/** The name of a colleague with the roles at that time, if they are known. */
export function useStaffName(): (name: string, roles: readonly StaffRole[] | undefined) => string {
  const { t } = useTranslation('desk')
  return (name, roles = []) => [isolated(name), ...roles.map((role) => t(`roles.${role}`))].join(' · ')
}
