import { Input } from 'antd'
import { call } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { openAgent } from '#shared/desk/orders/people.operations.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { ActDialog } from '../act-dialog.tsx'
import { useDraftFields } from '../drafts.ts'
import { isolated } from '../isolated.ts'
import { Labelled } from '../labelled.tsx'
import { useNotice } from '../notices.tsx'
import { keyed } from '../sending.ts'

const pairingDigits = 6

interface OpenAgentDialogProps {
  readonly row: WorkRow
  readonly by: string
  readonly onClose: () => void
}

/** Asks for the number on the agent's screen, and for the reason. */
export function OpenAgentDialog({ row, by, onClose }: OpenAgentDialogProps) {
  const { t } = useTranslation('desk-work')
  const showNotice = useNotice()
  const language = useLanguage()
  const place = `open-agent ${row.id}`
  const [{ typed }, change] = useDraftFields(by, place, { typed: '' })
  const pairing = foldDigits(typed).replace(/\D/g, '')
  const agentId = String(row.data.agent)
  return (
    <ActDialog
      title={t('agent.title', { name: isolated(inLanguage(String(row.data.name), language)) })}
      ok={t('agent.ok')}
      by={by}
      place={place}
      label={t('agent.reason')}
      isReady={pairing.length === pairingDigits}
      act={(reason, key) =>
        call(openAgent, { params: { agentId }, headers: keyed(key), body: { pairing, reason } })
      }
      onDone={() => {
        showNotice(t('agent.done'))
        onClose()
      }}
      onClose={onClose}
    >
      <p>{t('agent.what')}</p>
      <Labelled text={t('agent.pairing')}>
        <Input
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          value={typed}
          onChange={({ target }) => change({ typed: target.value })}
        />
      </Labelled>
    </ActDialog>
  )
}
