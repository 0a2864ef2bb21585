import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'

const Dialog = lazy(async () => ({ default: (await import('./open-agent-dialog.tsx')).OpenAgentDialog }))

interface OpenAgentProps {
  readonly row: WorkRow
  readonly staff: Pick<StaffSession, 'name' | 'roles'>
}

/** Lets one device of an agent sign in although the codes of the day are used up. */
export function OpenAgent({ row, staff: { name, roles } }: OpenAgentProps) {
  const { t } = useTranslation('desk-work')
  const [isOpen, setIsOpen] = useState(false)
  const isOff = useConnection() === 'offline'
  if (!roles.includes('support') && !roles.includes('lead')) return null
  return (
    <>
      <Button size="small" disabled={isOff} onClick={() => setIsOpen(true)}>
        {t('agent.open')}
      </Button>
      <Suspense fallback={null}>
        {isOpen ? <Dialog row={row} by={name} onClose={() => setIsOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
