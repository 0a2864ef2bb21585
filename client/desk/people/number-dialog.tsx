import { Form, Input } from 'antd'
import { useTranslation } from '#client/platform/i18n.ts'
import type { DeskAccount } from '#shared/desk/orders/people.api.ts'
import { phoneLength } from '#shared/platform/phone.ts'
import { ActDialog, needed, TextItem, useActForm } from '../act-dialog.tsx'
import { isolated } from '../isolated.ts'
import { useNotice } from '../notices.tsx'
import { moveNumber, usePersonRefresh } from './people.queries.ts'

interface NumberDialogProps {
  readonly person: DeskAccount
  readonly by: string
  readonly onClose: () => void
}

/** Asks for the new number of a user who has lost the old one, and for the reason. */
export function NumberDialog({ person: { userId, name }, by, onClose }: NumberDialogProps) {
  const { t } = useTranslation('desk-people')
  const showNotice = useNotice()
  const refresh = usePersonRefresh(userId)
  const form = useActForm({
    by,
    name: `number ${userId}`,
    act: ({ phone, reason }: { readonly phone: string; readonly reason: string }, key) =>
      moveNumber(userId, phone, reason, key),
    onDone() {
      refresh()
      showNotice(t('act.number.done'))
      onClose()
    },
    onRefused: refresh,
  })
  return (
    <ActDialog
      form={form}
      title={t('act.number.title', { name: isolated(name) })}
      ok={t('act.number.ok')}
      onClose={onClose}
    >
      <p>{t('act.number.what')}</p>
      <Form.Item name="phone" label={t('act.number.phone')} rules={[needed(phoneLength.min)]}>
        <Input dir="ltr" type="tel" autoComplete="off" maxLength={phoneLength.max} />
      </Form.Item>
      <TextItem name="reason" label={t('reason')} />
    </ActDialog>
  )
}
