import { useTranslation } from '#client/platform/i18n.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { isolated } from './isolated.ts'

/** How a person of the desk is named: with the roles of that time, where they are known. */
export function useStaffName(): (name: string, roles: readonly StaffRole[] | undefined) => string {
  const { t } = useTranslation('desk')
  return (name, roles = []) => [isolated(name), ...roles.map((role) => t(`roles.${role}`))].join(' · ')
}
