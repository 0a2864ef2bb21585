import { Alert } from 'antd'
import { useConnection } from '#client/platform/connection.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { Approval } from '#shared/desk/actions/actions.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { ActProblem, isFinal, mayGoOn } from '../act-dialog.tsx'
import { useRefresh } from '../actions/actions.queries.ts'
import { Dialog } from '../dialog.tsx'
import { isolated } from '../isolated.ts'
import { say } from '../said.tsx'
import { useSending } from '../sending.ts'
import { overOf } from '../work/work.rules.ts'
import styles from './approvals.module.css'
import { approve, refuse } from './approvals.queries.ts'

interface DecisionDialogProps {
  readonly what: 'approve' | 'refuse'
  readonly approval: Approval
  /** Who has it in the work list: it is taken from them. */
  readonly colleague: WorkRow['taken']
  /** To the one who asked. */
  readonly note: string
  /** Names the act. */
  readonly ok: string
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks back before a decision: what is decided, and about whose wish. */
export function DecisionDialog({
  what,
  approval,
  colleague,
  note,
  ok,
  onDone,
  onClose,
}: DecisionDialogProps) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const refresh = useRefresh()
  const isOffline = useConnection() === 'offline'
  const { approvalId, act, amountHalalas } = approval
  const name = isolated(approval.askedBy)
  const over = overOf(colleague)
  const { send, isPending, error } = useSending(
    async (_: undefined, key) =>
      what === 'approve' ? approve(approvalId, over, key) : refuse(approvalId, note, over, key),
    {
      onSuccess({ partnerText }) {
        say(t(what === 'approve' ? 'approved' : 'refused', { name }), partnerText)
        refresh()
        onDone()
      },
      // The page names the colleague then, and another press takes it over.
      onError: (failure) => mayGoOn(failure) && refresh(),
    },
  )
  const close = () => {
    // What was refused is shown as it is once the person has read why.
    if (error !== null) refresh()
    onClose()
  }
  const sum = formatMoney(amountHalalas, language)
  const question = act === 'refund' ? t('ask.pay', { sum, name }) : t('ask.approve', { act: ok, name })
  return (
    <Dialog
      open
      title={what === 'approve' ? question : t('ask.refuse', { name })}
      okText={ok}
      okButtonProps={{
        danger: what === 'refuse',
        loading: isPending,
        disabled: isOffline || isFinal(error),
      }}
      cancelText={t('ask.close')}
      onOk={() => send(undefined)}
      onCancel={close}
    >
      {colleague === null ? null : (
        <p>{t('takesOver', { ns: 'desk-actions', name: isolated(colleague.name) })}</p>
      )}
      {what === 'refuse' ? <blockquote className={styles.reason}>{note}</blockquote> : null}
      {what === 'approve' && amountHalalas > 0 ? <p>{t('again')}</p> : null}
      {approval.changed === null || error !== null ? null : (
        <Alert type="warning" showIcon title={t('changed', { what: approval.changed })} />
      )}
      <ActProblem error={error} />
    </Dialog>
  )
}
