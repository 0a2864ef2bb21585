import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { isCallProblem } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { newIdempotencyKey } from '#client/platform/idempotency-key.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimNumberIn } from '#shared/claims/claims.schemas.ts'
import type { Approval } from '#shared/desk-actions/desk-actions.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { durationText } from '#shared/platform/duration.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'
import { ActProblem } from '../act-dialog.tsx'
import { useRefresh } from '../actions/actions.queries.ts'
import { useStaffName } from '../by.tsx'
import { Facts } from '../card.tsx'
import { DeskIcon } from '../desk-icon.tsx'
import { useDraft } from '../drafts.ts'
import { isolated } from '../isolated.ts'
import { rowLink, useRowKeys } from '../keys.ts'
import { Labelled } from '../labelled.tsx'
import { Mark } from '../mark.tsx'
import { dayAndTime, useMinute } from '../moment.tsx'
import { inGroups } from '../orders/order-rows.tsx'
import pageStyles from '../page.module.css'
import { PageHead } from '../page-head.tsx'
import { approvalsPath, claimPath, type DeskPageProps, orderPath } from '../pages.ts'
import { say } from '../said.tsx'
import { Loaded } from '../states.tsx'
import { formatAgo } from '../times.ts'
import styles from './approvals.module.css'
import { approve, refuse, useWaitingApprovals } from './approvals.queries.ts'

/** What one person has asked for and another decides. The one that is open is in the address. */
export function ApprovalsPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-approvals')
  const [address] = useSearchParams()
  const approvals = useWaitingApprovals()
  useRowKeys()
  const wanted = Number(address.get('id'))
  return (
    <>
      <PageHead title={t('title')} rule={t('rule')} />
      <Loaded query={approvals} failed={t('failed')}>
        {(waiting) => {
          const open = waiting.find(({ approvalId }) => approvalId === wanted) ?? waiting[0]
          return (
            <div className={`${pageStyles.columns} ${styles.columns}`}>
              <Waiting approvals={waiting} open={open} />
              {open && <Decision key={open.approvalId} approval={open} by={staff.name} />}
            </div>
          )
        }}
      </Loaded>
    </>
  )
}

interface WaitingProps {
  readonly approvals: readonly Approval[]
  readonly open: Approval | undefined
}

function Waiting({ approvals, open }: WaitingProps) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const now = useMinute()
  if (approvals.length === 0) return <p>{t('empty')}</p>
  return (
    <ul className={styles.waiting} aria-label={t('waiting')}>
      {approvals.map((approval) => {
        const { approvalId, orderId, act, amountHalalas, askedBy, askedAt } = approval
        return (
          <li key={approvalId}>
            <Link
              className={approval === open ? `${styles.one} ${styles.here}` : styles.one}
              to={`${approvalsPath}?id=${approvalId}`}
              aria-current={approval === open ? 'true' : undefined}
              {...{ [rowLink]: String(approvalId) }}
            >
              <b>{amountHalalas === 0 ? t(`act.${act}`) : formatMoney(amountHalalas, language)}</b>
              <span>
                {amountHalalas === 0 ? null : `${t(`act.${act}`)} · `}
                <Ltr>{orderNumber(orderId)}</Ltr>
              </span>
              <span className={pageStyles.small}>
                {t('asked', { name: isolated(askedBy), ago: formatAgo(now - Date.parse(askedAt), language) })}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

interface DecisionProps {
  readonly approval: Approval
  readonly by: string
}

/** What would happen, whether it still can, and the two answers. */
function Decision({ approval, by }: DecisionProps) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const now = useMinute()
  const { approvalId, act, orderId, askedAt, reason } = approval
  return (
    <section className={styles.card} aria-labelledby={`approval-${approvalId}`}>
      <div className={styles.head}>
        <h2 id={`approval-${approvalId}`}>
          {t(`of.${act}`)}{' '}
          <Link to={orderPath(orderId)}>
            <Ltr>{orderNumber(orderId)}</Ltr>
          </Link>
        </h2>
        <Mark tone="waiting" icon="clock">
          {t('waits', { time: durationText(now - Date.parse(askedAt), language) })}
        </Mark>
      </div>
      <Wish approval={approval} />
      <blockquote className={styles.reason}>{reason}</blockquote>
      <Checks approval={approval} />
      {approval.isMine ? (
        <Alert type="info" showIcon title={t('mine')} />
      ) : (
        <Answer approval={approval} by={by} />
      )}
    </section>
  )
}

/** What was asked for, by whom and until when. */
function Wish({ approval }: Pick<DecisionProps, 'approval'>) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const staffName = useStaffName()
  const { act, amountHalalas, askedAt, expiresAt, askedRoles, about, receiver } = approval
  const askedBy = staffName(approval.askedBy, askedRoles)
  const sum = (
    <b key="sum" className={styles.sum}>
      {formatMoney(amountHalalas, language)}
    </b>
  )
  return (
    <Facts
      isBoxed
      facts={[
        [t(act === 'refund' ? 'goesBack' : 'sum'), amountHalalas === 0 ? undefined : sum],
        [t('about'), about === null ? undefined : <About key="about" about={about} />],
        [t('receiver'), receiver === null ? undefined : <bdi key="receiver">{receiver || t('owner')}</bdi>],
        [t('askedBy'), t('askedAt', { name: askedBy, ...dayAndTime(askedAt, language) })],
        [t('until'), t('untilAt', dayAndTime(expiresAt, language))],
      ]}
    />
  )
}

/** Whether it still can be done, and what has to be done by hand then. */
function Checks({ approval: { act, changed } }: Pick<DecisionProps, 'approval'>) {
  const { t } = useTranslation('desk-approvals')
  return (
    <ul className={styles.checks}>
      {changed === null ? (
        <li className={styles.good}>
          <DeskIcon name="tick" /> {t('unchanged')}
        </li>
      ) : (
        <li className={styles.bad}>
          <DeskIcon name="alert" /> {t('changed', { what: changed })}
        </li>
      )}
      {act === 'receiver' ? (
        <li className={styles.note}>
          <DeskIcon name="alert" /> {t('byHand')}
        </li>
      ) : null}
    </ul>
  )
}

/** The claim of a compensation, or the transaction of a refund. */
function About({ about }: { readonly about: string }) {
  const claim = claimNumberIn(about)
  const text = <Ltr>{inGroups(about, 3)}</Ltr>
  return claim === undefined ? text : <Link to={claimPath(claim)}>{text}</Link>
}

/** Approve, or refuse with a word to the one who asked. Each has one key for as long as the form is open. */
function Answer({ approval, by }: DecisionProps) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const refresh = useRefresh()
  const { approvalId, askedBy, amountHalalas, act } = approval
  const [note, setNote] = useDraft(by, `approval ${approvalId}`)
  const [keys] = useState(() => ({ approve: newIdempotencyKey(), refuse: newIdempotencyKey() }))
  const [isRefused, setIsRefused] = useState(false)
  const isOffline = useConnection() === 'offline'
  const done = (text: string) => {
    setNote('')
    say(text)
    refresh()
  }
  const onError = (error: unknown) => {
    if (isCallProblem(error) && error.status !== 401) refresh()
  }
  const yes = useSingleMutation({
    mutationFn: () => approve(approvalId, keys.approve),
    onSuccess: ({ partnerText }) =>
      done(
        partnerText === undefined ? t('approved') : `${t('approved')} ${t('tell', { text: partnerText })}`,
      ),
    onError,
  })
  const no = useSingleMutation({
    mutationFn: () => refuse(approvalId, note.trim(), keys.refuse),
    onSuccess: () => done(t('refused', { name: isolated(askedBy) })),
    onError,
  })
  const isBusy = yes.isPending || no.isPending
  const isShort = note.trim().length < reasonLength.least
  const sum = formatMoney(amountHalalas, language)
  return (
    <>
      <Labelled text={t('note', { name: isolated(askedBy) })}>
        <Input.TextArea
          rows={2}
          maxLength={reasonLength.most}
          status={isRefused && isShort ? 'error' : ''}
          aria-invalid={isRefused && isShort}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </Labelled>
      {isRefused && isShort ? (
        <p className={styles.bad}>{t('noteNeeded', { name: isolated(askedBy) })}</p>
      ) : null}
      {amountHalalas === 0 ? null : <p className={pageStyles.small}>{t('again')}</p>}
      <ActProblem error={yes.error ?? no.error} />
      <div className={styles.foot}>
        <Button
          danger
          disabled={isBusy || isOffline}
          loading={no.isPending}
          onClick={() => {
            setIsRefused(true)
            if (!isShort) no.mutate()
          }}
        >
          {t('refuse')}
        </Button>
        <Button
          type="primary"
          disabled={isBusy || isOffline || approval.changed !== null}
          loading={yes.isPending}
          onClick={() => yes.mutate()}
        >
          {act === 'refund' ? t('pay', { sum }) : t(`approve.${act}`)}
        </Button>
      </div>
    </>
  )
}
