import { Form, Input } from 'antd'
import { call } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { openAgent } from '#shared/desk/orders/people.operations.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { ReasonDialog } from '../act-dialog.tsx'
import { isolated } from '../isolated.ts'
import { keyed } from '../sending.ts'

const pairingDigits = 6

const digitsOf = (typed = '') => foldDigits(typed).replace(/\D/g, '')

interface OpenAgentDialogProps {
  row: WorkRow
  by: string
  onClose: () => void
}

/** Asks for the number on the agent's screen, and for the reason. */
export function OpenAgentDialog({ row, by, onClose }: OpenAgentDialogProps) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  return (
    <ReasonDialog
      title={t('agent.title', { name: isolated(inLanguage(String(row.data.name), language)) })}
      ok={t('agent.ok')}
      by={by}
      name={`open-agent ${row.id}`}
      label={t('agent.reason')}
      act={({ pairing, reason }: { pairing: string; reason: string }, key) =>
        call(openAgent, {
          params: { agentId: String(row.data.agent) },
          headers: keyed(key),
          body: { pairing: digitsOf(pairing), reason },
        })
      }
      done={t('agent.done')}
      onClose={onClose}
    >
      <p>{t('agent.what')}</p>
      <Form.Item
        name="pairing"
        label={t('agent.pairing')}
        rules={[{ required: true, min: pairingDigits, transform: digitsOf }]}
      >
        <Input dir="ltr" inputMode="numeric" autoComplete="off" maxLength={20} />
      </Form.Item>
    </ReasonDialog>
  )
}
