import { Form, Input } from 'antd'
import { call } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { openAgent } from '#shared/desk/orders/people.operations.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { ActDialog, TextItem, useActForm } from '../act-dialog.tsx'
import { isolated } from '../isolated.ts'
import { useNotice } from '../notices.tsx'
import { keyed } from '../sending.ts'

const pairingDigits = 6

const digitsOf = (typed = '') => foldDigits(typed).replace(/\D/g, '')

interface Fields {
  readonly pairing: string
  readonly reason: string
}

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
  const agentId = String(row.data.agent)
  const form = useActForm({
    by,
    name: `open-agent ${row.id}`,
    act: ({ pairing, reason }: Fields, key) =>
      call(openAgent, {
        params: { agentId },
        headers: keyed(key),
        body: { pairing: digitsOf(pairing), reason },
      }),
    onDone() {
      showNotice(t('agent.done'))
      onClose()
    },
  })
  return (
    <ActDialog
      form={form}
      title={t('agent.title', { name: isolated(inLanguage(String(row.data.name), language)) })}
      ok={t('agent.ok')}
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
      <TextItem name="reason" label={t('agent.reason')} />
    </ActDialog>
  )
}
