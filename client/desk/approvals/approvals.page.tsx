import { Alert, Button, Card, Flex, Form, Input } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import { call } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { formatAgo, formatMoment } from '#client/platform/dates.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimNumberIn } from '#shared/claims/claims.operations.ts'
import { confirmAtDesk } from '#shared/desk/actions/actions.operations.ts'
import type { Approval, ChangedReceiver } from '#shared/desk/actions/actions.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { durationText } from '#shared/platform/duration.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'
import { ActProblem, needed } from '../act-dialog.tsx'
import { useRefresh } from '../actions/actions.queries.ts'
import { useStaffName } from '../by.tsx'
import { type Fact, Facts } from '../card.tsx'
import { draftOf, keepDraft } from '../drafts.ts'
import { isolated } from '../isolated.ts'
import { useRowKeys } from '../keys.ts'
import { Mark } from '../mark.tsx'
import { useMinute } from '../moment.tsx'
import { useNotice } from '../notices.tsx'
import { inGroups } from '../orders/order-rows.tsx'
import { RevealButton } from '../orders/reveal.tsx'
import pageStyles from '../page.module.css'
import { PageHead } from '../page-head.tsx'
import { approvalsPath, claimPath, type DeskPageProps, orderPath, personPath } from '../pages.ts'
import { keyed, useSending } from '../sending.ts'
import { Loaded } from '../states.tsx'
import { Holder } from '../work/holder.tsx'
import { useRowActs } from '../work/row-acts.tsx'
import { useApprovalRows } from '../work/work.queries.ts'
import { colleagueOf } from '../work/work.rules.ts'
import styles from './approvals.module.css'
import { useWaitingApprovals } from './approvals.queries.ts'
import { DecisionDialog } from './decision-dialog.tsx'

/** The approval requests that wait for a second operator. The address names the open one. */
export function ApprovalsPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-approvals')
  const [address, setAddress] = useSearchParams()
  const approvals = useWaitingApprovals()
  useRowKeys()
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = approvals
  /** The requests decided on this page. They stay hidden while the list or the address still contains them. */
  const [decided, setDecided] = useState<readonly number[]>([])
  const inAddress = Number(address.get('id'))
  const wanted = decided.includes(inAddress) ? 0 : inAddress
  const isWaiting = ({ approvalId }: Approval) => !decided.includes(approvalId)
  const data = approvals.data?.filter(isWaiting)
  const found = data?.find(({ approvalId }) => approvalId === wanted)
  const open = useKept(found, wanted)
  // The request in the address may be on a later page of the list.
  const isFurther =
    wanted > 0 && data !== undefined && found === undefined && hasNextPage && !approvals.isError
  const mayFetch = isFurther && !approvals.isFetching
  useEffect(() => {
    if (mayFetch) void fetchNextPage()
  }, [mayFetch, fetchNextPage])
  // An open request stays open when a colleague decides it: no other request may appear under the operator's finger.
  const first = wanted > 0 ? undefined : data?.[0]?.approvalId
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press on the menu may take the id away before it was rendered
  useEffect(() => {
    if (first !== undefined) setAddress({ id: String(first) }, { replace: true })
  }, [first, setAddress, key])
  return (
    <>
      <PageHead title={t('title')} rule={t('rule')} />
      <Loaded query={approvals} failed={t('failed')}>
        {(all) => (
          <Flex vertical gap="middle" className={styles.columns}>
            <Flex vertical gap="small">
              <Waiting approvals={all.filter(isWaiting)} open={open} />
              {hasNextPage ? (
                <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {t('more')}
                </Button>
              ) : null}
            </Flex>
            {open && (
              <Decision
                key={open.approvalId}
                approval={open}
                isOver={found === undefined && !isFurther}
                by={staff.name}
                onDecided={() => {
                  setDecided([...decided, open.approvalId])
                  setAddress({}, { replace: true })
                }}
              />
            )}
            {open === undefined && wanted > 0 && !isFurther ? (
              <Alert type="info" showIcon title={t('over')} />
            ) : null}
          </Flex>
        )}
      </Loaded>
    </>
  )
}

/** The last known state of an approval request, also after it has left the list. */
function useKept(found: Approval | undefined, approvalId: number): Approval | undefined {
  const [kept, setKept] = useState(found)
  if (found !== undefined && found !== kept) setKept(found)
  return found ?? (kept?.approvalId === approvalId ? kept : undefined)
}

interface WaitingProps {
  approvals: readonly Approval[]
  open: Approval | undefined
}

function Waiting({ approvals, open }: WaitingProps) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const now = useMinute()
  if (approvals.length === 0) return <p>{t('empty')}</p>
  return (
    <Flex component="ul" vertical gap="small" aria-label={t('waiting')}>
      {approvals.map((approval) => {
        const { approvalId, orderId, act, amountHalalas, askedBy, askedAt } = approval
        return (
          <li key={approvalId}>
            <Link
              className={classes(layout.stack, styles.one, approvalId === open?.approvalId && styles.here)}
              to={`${approvalsPath}?id=${approvalId}`}
              aria-current={approvalId === open?.approvalId ? 'true' : undefined}
              data-row={approvalId}
            >
              <b>{amountHalalas === 0 ? t(`act.${act}`) : formatMoney(amountHalalas, language)}</b>
              <span>
                {amountHalalas === 0 ? null : <span>{`${t(`act.${act}`)} · `}</span>}
                {orderId === null ? null : <Ltr>{orderNumber(orderId)}</Ltr>}
              </span>
              <span className={pageStyles.small}>
                {t('asked', { name: isolated(askedBy), ago: formatAgo(now - Date.parse(askedAt), language) })}
              </span>
            </Link>
          </li>
        )
      })}
    </Flex>
  )
}

interface DecisionProps {
  approval: Approval
  /** The request was decided elsewhere, or it has expired. */
  isOver: boolean
  by: string
  onDecided: () => void
}

/** A request with the buttons to approve or refuse it. */
function Decision({ approval, isOver, by, onDecided }: DecisionProps) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const now = useMinute()
  const { approvalId, act, orderId, askedAt, reason, changed, checks } = approval
  const rows = useApprovalRows(approval)
  const [row] = rows
  const acts = useRowActs(rows, by)
  return (
    <section aria-labelledby={`approval-${approvalId}`}>
      <Card
        classNames={{ body: `${layout.stack} ${layout.gap3}` }}
        title={
          <h2 id={`approval-${approvalId}`}>
            <span>{t(`of.${act}`)}</span>{' '}
            {orderId === null ? null : (
              <Link to={orderPath(orderId)}>
                <Ltr>{orderNumber(orderId)}</Ltr>
              </Link>
            )}
          </h2>
        }
        extra={
          <Flex wrap align="center" justify="end" gap="small">
            {isOver ? null : (
              <Mark tone="waiting" icon="clock">
                {t('waits', { time: durationText(now - Date.parse(askedAt), language) })}
              </Mark>
            )}
            {row === undefined ? null : <Holder row={row} now={now} acts={acts} />}
          </Flex>
        }
      >
        {acts.parts}
        <Request approval={approval} />
        {approval.receiver !== null && !isOver ? (
          <div>
            <RevealButton what="approval" id={approvalId} by={by} />
          </div>
        ) : null}
        <blockquote className={pageStyles.inset}>{reason}</blockquote>
        {isOver ? (
          <Alert type="info" showIcon title={t('over')} />
        ) : (
          <>
            {changed === null ? (
              <Alert type="success" showIcon title={t('unchanged')} />
            ) : (
              <Alert type="error" showIcon title={t('changed', { what: changed })} />
            )}
            {checks.map(({ tone, text }) => (
              <Alert key={text} type={alertOf[tone]} showIcon title={text} />
            ))}
          </>
        )}
        {approval.isMine ? (
          !isOver && <Own approval={approval} />
        ) : (
          <Answer
            approval={approval}
            isOver={isOver}
            by={by}
            onDecided={onDecided}
            colleague={colleagueOf(rows)}
          />
        )}
      </Card>
    </section>
  )
}

const alertOf = { good: 'success', note: 'warning', bad: 'error' } as const

/** The operator's own request. If a terminal made it in the operator's name, the operator confirms it here. */
function Own({ approval: { approvalId, terminal } }: Pick<DecisionProps, 'approval'>) {
  const { t } = useTranslation('desk-approvals')
  const refresh = useRefresh()
  const showNotice = useNotice()
  const isOffline = useConnection() === 'offline'
  const { send, isPending, error } = useSending(
    (id: number, key) => call(confirmAtDesk, { params: { id: String(id) }, headers: keyed(key), body: {} }),
    {
      onSuccess() {
        showNotice(t('confirm.done'))
        refresh()
      },
    },
  )
  if (terminal === null || terminal.isConfirmed) return <Alert type="info" showIcon title={t('mine')} />
  return (
    <>
      <Alert type="warning" showIcon title={t('confirm.text', { user: isolated(terminal.user) })} />
      <Flex justify="end">
        <Button type="primary" disabled={isOffline} loading={isPending} onClick={() => send(approvalId)}>
          {t('confirm.ok')}
        </Button>
      </Flex>
      <ActProblem error={error} />
    </>
  )
}

/** The facts of a request: the act, the requester, the amount and the time it expires. */
function Request({ approval }: Pick<DecisionProps, 'approval'>) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const staffName = useStaffName()
  const { act, amountHalalas, askedAt, expiresAt, askedRoles, about, receiver, terminal } = approval
  const name = staffName(approval.askedBy, askedRoles)
  return (
    <Facts
      isBoxed
      facts={[
        [
          t(act === 'refund' || act === 'cancel' ? 'goesBack' : 'sum'),
          amountHalalas === 0 ? undefined : (
            <b key="sum" className={styles.sum}>
              {formatMoney(amountHalalas, language)}
            </b>
          ),
        ],
        [t('about'), about === null ? undefined : <About key="about" act={act} about={about} />],
        ...useReceiverFacts(receiver),
        [
          t('terminal'),
          terminal === null
            ? undefined
            : t('terminalBy', { user: isolated(terminal.user), name: isolated(approval.askedBy) }),
        ],
        [t('askedBy'), t('askedAt', { name, time: formatMoment(askedAt, language) })],
        [t('until'), formatMoment(expiresAt, language)],
      ]}
    />
  )
}

/** The new receiver and second phone. The text also states when one of them stays or is removed. */
function useReceiverFacts(changed: ChangedReceiver | null): readonly Fact[] {
  const { t } = useTranslation('desk-approvals')
  if (changed === null) return []
  const { receiver, secondPhone, number } = changed
  if (number !== undefined) return [[t('newNumber'), <Ltr key="number">{number}</Ltr>]]
  const named = receiver && (
    <span key="receiver">
      <bdi>{receiver.name}</bdi>{' '}
      {receiver.phone === null ? <span>{t('noPhone')}</span> : <Ltr>{receiver.phone}</Ltr>}
    </span>
  )
  const phone = secondPhone && <Ltr key="phone">{secondPhone}</Ltr>
  return [
    [t('receiver'), receiver === undefined ? t('stays') : (named ?? t('owner'))],
    [t('secondPhone'), secondPhone === undefined ? t('stays') : (phone ?? t('gone'))],
  ]
}

/** The subject of a request: a claim, the transaction of a refund, or a user who gets another number. */
function About({ act, about }: { act: Approval['act']; about: string }) {
  const { t } = useTranslation('desk-approvals')
  if (act === 'number') return <Link to={personPath(Number(about))}>{t('person')}</Link>
  const claim = claimNumberIn(about)
  const text = <Ltr>{inGroups(about, 3)}</Ltr>
  return claim === undefined ? text : <Link to={claimPath(claim)}>{text}</Link>
}

/**
 * Buttons to approve, or to refuse with a note to the requester. When a colleague has decided the request meanwhile, the dialog
 * stays open and shows the server's answer.
 */
function Answer({
  approval,
  isOver,
  by,
  onDecided,
  colleague,
}: DecisionProps & { colleague: WorkRow['taken'] }) {
  const { t } = useTranslation('desk-approvals')
  const language = useLanguage()
  const { approvalId, askedBy, amountHalalas, act, changed, checks } = approval
  const name = `approval ${approvalId}`
  const [asked, setAsked] = useState<'approve' | 'refuse'>()
  const [isRefused, setIsRefused] = useState(false)
  const isOffline = useConnection() === 'offline'
  const isBarred = changed !== null || checks.some(({ tone }) => tone === 'bad')
  const words = {
    approve: act === 'refund' ? t('pay', { sum: formatMoney(amountHalalas, language) }) : t(`approve.${act}`),
    refuse: t('refuse'),
  }
  const asker = isolated(askedBy)
  return (
    <>
      {isOver ? null : (
        <Form
          name={`note-${approvalId}`}
          className={`${layout.stack} ${layout.gap3}`}
          layout="vertical"
          requiredMark={false}
          validateTrigger={isRefused ? 'onChange' : []}
          scrollToFirstError={{ focus: true }}
          initialValues={draftOf(by, name)}
          onValuesChange={(_, values) => keepDraft(by, name, values)}
          onFinish={() => setAsked('refuse')}
          onFinishFailed={() => setIsRefused(true)}
        >
          <Form.Item
            name="text"
            label={t('note', { name: asker })}
            rules={[{ ...needed(reasonLength.least), message: t('noteNeeded', { name: asker }) }]}
          >
            <Input.TextArea rows={2} maxLength={reasonLength.most} />
          </Form.Item>
          <Flex gap="small" justify="end" wrap>
            <Button danger htmlType="submit" disabled={isOffline}>
              {words.refuse}
            </Button>
            <Button type="primary" disabled={isOffline || isBarred} onClick={() => setAsked('approve')}>
              {words.approve}
            </Button>
          </Flex>
        </Form>
      )}
      {asked === undefined ? null : (
        <DecisionDialog
          what={asked}
          approval={approval}
          colleague={colleague}
          by={by}
          name={name}
          ok={words[asked]}
          onDone={() => {
            setAsked(undefined)
            onDecided()
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
