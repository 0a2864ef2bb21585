import { lazy } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { DialogButton } from '../dialog-button.tsx'

const Dialog = lazy(async () => ({ default: (await import('./open-agent-dialog.tsx')).OpenAgentDialog }))

interface OpenAgentProps {
  row: WorkRow
  staff: Pick<StaffSession, 'name' | 'roles'>
}

/** Lets one device of an agent sign in although the codes of the day are used up. */
export function OpenAgent({ row, staff: { name, roles } }: OpenAgentProps) {
  const { t } = useTranslation('desk-work')
  if (!roles.includes('support') && !roles.includes('lead')) return null
  return (
    <DialogButton text={t('agent.open')}>
      {(close) => <Dialog row={row} by={name} onClose={close} />}
    </DialogButton>
  )
}
