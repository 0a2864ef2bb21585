import { Alert } from 'antd'
import { call } from '#client/platform/call.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { approveAtDesk, refuseAtDesk } from '#shared/desk/actions/actions.operations.ts'
import type { Approval } from '#shared/desk/actions/actions.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { ActDialog, useActForm } from '../act-dialog.tsx'
import { useRefresh } from '../actions/actions.queries.ts'
import { isolated } from '../isolated.ts'
import { useNotice } from '../notices.tsx'
import pageStyles from '../page.module.css'
import { keyed } from '../sending.ts'
import { overOf } from '../work/work.rules.ts'

interface DecisionDialogProps {
  what: 'approve' | 'refuse'
  approval: Approval
  /** The colleague who has the request in the work list: the decision takes it over. */
  colleague: WorkRow['taken']
  by: string
  /** The form of the page: its draft is the note to the requester. */
  name: string
  /** Text of the button, which names the decision. */
  ok: string
  onDone: () => void
  onClose: () => void
}

/** Asks the operator to confirm a decision, and shows the request and its requester. */
export function DecisionDialog({
  what,
  approval: { approvalId, act, amountHalalas, askedBy, changed },
  colleague,
  by,
  name,
  ok,
  onDone,
  onClose,
}: DecisionDialogProps) {
  const { t } = useTranslation(['desk-approvals', 'desk-actions'])
  const language = useLanguage()
  const refresh = useRefresh()
  const showNotice = useNotice()
  const asker = isolated(askedBy)
  const form = useActForm({
    by,
    name,
    act({ text = '' }: { text?: string }, key) {
      const over = overOf(colleague)
      const target = { params: { id: String(approvalId) }, headers: keyed(key) }
      return what === 'approve'
        ? call(approveAtDesk, { ...target, body: over })
        : call(refuseAtDesk, { ...target, body: { reason: text, ...over } })
    },
    onDone({ partnerText }) {
      showNotice(t(what === 'approve' ? 'approved' : 'refused', { name: asker }), partnerText)
      refresh()
      onDone()
    },
    onRefused: refresh,
  })
  const question =
    act === 'refund'
      ? t('ask.pay', { sum: formatMoney(amountHalalas, language), name: asker })
      : t('ask.approve', { act: ok, name: asker })
  return (
    <ActDialog
      form={form}
      title={what === 'approve' ? question : t('ask.refuse', { name: asker })}
      ok={ok}
      isDangerous={what === 'refuse'}
      onClose={onClose}
    >
      {colleague === null ? null : <p>{t('desk-actions:takesOver', { name: isolated(colleague.name) })}</p>}
      {what === 'refuse' ? <blockquote className={pageStyles.inset}>{form.values.text}</blockquote> : null}
      {what === 'approve' && amountHalalas > 0 ? <p>{t('again')}</p> : null}
      {changed === null || form.error !== null ? null : (
        <Alert type="warning" showIcon title={t('changed', { what: changed })} />
      )}
    </ActDialog>
  )
}
