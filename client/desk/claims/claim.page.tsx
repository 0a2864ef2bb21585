import { Button, Flex } from 'antd'
import { useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import type { Photo } from '#client/entities/claim/photo.ts'
import { useConnection } from '#client/platform/connection.ts'
import { dayInRiyadh, formatDay } from '#client/platform/dates.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimKindNames, claimOutcomeNames } from '#shared/claims/claims.names.ts'
import { photoNumbers } from '#shared/claims/claims.operations.ts'
import { readDeskPhoto } from '#shared/desk/claims/desk-claims.operations.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { ActProblem } from '../act-dialog.tsx'
import { isolated } from '../isolated.ts'
import { useKeys } from '../keys.ts'
import { Mark } from '../mark.tsx'
import { Moment, useMinute } from '../moment.tsx'
import { useNotice } from '../notices.tsx'
import { BagCard } from '../orders/order-aside.tsx'
import { useDeskOrder } from '../orders/orders.queries.ts'
import { RevealButton } from '../orders/reveal.tsx'
import pageStyles from '../page.module.css'
import { type DeskPageProps, orderPath, workPath } from '../pages.ts'
import { RecordHead } from '../record-head.tsx'
import { useSending } from '../sending.ts'
import { Loaded, Unknown } from '../states.tsx'
import { useTitle } from '../use-title.ts'
import { Holder } from '../work/holder.tsx'
import { useRowActs } from '../work/row-acts.tsx'
import { useWorkOf } from '../work/work.queries.ts'
import { colleagueOf, overOf } from '../work/work.rules.ts'
import { AnswerForm } from './answer-form.tsx'
import styles from './claim.module.css'
import { useEventTitle } from './claim-news.ts'
import { type DeskClaim, useClaimAct, useDeskClaim } from './claims.queries.ts'
import { ClosingDialog } from './closing-dialog.tsx'
import { DeadlinesCard } from './deadlines-card.tsx'
import { PartnerCard } from './partner-card.tsx'
import { PhotoButton } from './photo-button.tsx'
import { sendPhoto } from './send-photo.ts'

/** A claim with its conversation, its deadlines and the form for an answer. */
export function ClaimPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-claims')
  const { claimId = '' } = useParams()
  const query = useDeskClaim(claimId)
  useTitle(query.data?.number ?? t('title'))
  return (
    <Loaded
      query={query}
      failed={t('failed')}
      unknown={<Unknown title={t('unknown')} to={workPath('claims')} link={t('toList')} />}
    >
      {(known) => <Whole key={known.claimId} claim={known} by={staff.name} />}
    </Loaded>
  )
}

interface WholeProps {
  claim: DeskClaim
  by: string
}

function Whole({ claim, by }: WholeProps) {
  const { t } = useTranslation('desk-claims')
  const language = useLanguage()
  const [isClosing, setIsClosing] = useState(false)
  const { data: order } = useDeskOrder(String(claim.orderId))
  const { data: work } = useWorkOf(claim.orderId)
  const isOffline = useConnection() === 'offline'
  const rows = work?.ofOrder.filter(({ kind, id }) => kind === 'claims' && id === String(claim.claimId)) ?? []
  const [row] = rows
  // The page names the colleague who has the claim: an act takes it over.
  const over = overOf(colleagueOf(rows))
  const acts = useRowActs(rows, by)
  const now = useMinute()
  useKeys({
    t: () => row && acts.take(row),
    r: () => row?.taken?.isYou && acts.release(row),
    h: () => row && acts.hand(row),
  })
  const { number, kind, state, answerBy, lateSince, outcome, orderId } = claim
  const isLate = lateSince !== null || answerBy < dayInRiyadh(now)
  const booking = order?.bookings.find(({ awb }) => awb === claim.awb) ?? order?.bookings[0]
  return (
    <>
      <RecordHead
        city={order?.bookings.at(-1)?.destination.city}
        number={number}
        above={
          <p className={pageStyles.small}>
            <Link to={workPath('claims')}>{t('list')}</Link>
            {order?.user ? (
              <span>
                {' · '}
                <bdi>{order.user.name}</bdi> <Ltr>{order.user.phone}</Ltr>
              </span>
            ) : null}
          </p>
        }
        marks={
          <>
            <b>{claimKindNames[kind][language]}</b>
            {state === 'OPEN' ? (
              <Mark tone={isLate ? 'bad' : 'waiting'} icon="clock">
                {t(isLate ? 'late' : 'answerBy', { day: formatDay(lateSince ?? answerBy, language) })}
              </Mark>
            ) : null}
            {state === 'ANSWERED' ? <Mark tone="note">{t('answered')}</Mark> : null}
            {outcome === null ? null : (
              <Mark tone="plain">{t('closed', { outcome: claimOutcomeNames[outcome][language] })}</Mark>
            )}
          </>
        }
      >
        {row === undefined ? null : <Holder row={row} now={now} acts={acts} />}
        <RevealButton what="order" id={orderId} by={by} />
        <Link to={orderPath(orderId)}>
          {t('order')} <Ltr>{orderNumber(orderId)}</Ltr>
        </Link>
        {state === 'CLOSED' ? null : (
          <Button disabled={isOffline} onClick={() => setIsClosing(true)}>
            {t('close.open')}
          </Button>
        )}
      </RecordHead>
      {acts.parts}
      <Flex vertical gap="middle" className={styles.columns}>
        <Flex vertical gap="small">
          <Thread claim={claim} />
          {state === 'CLOSED' ? null : <AnswerForm claim={claim} by={by} over={over} />}
        </Flex>
        <Flex component="aside" vertical gap="small" aria-label={t('beside')}>
          <DeadlinesCard claim={claim} />
          <PartnerCard claim={claim} by={by} over={over} />
          {order && booking ? <BagCard order={order} booking={booking} /> : null}
        </Flex>
      </Flex>
      {isClosing ? (
        <ClosingDialog claim={claim} by={by} over={over} onClose={() => setIsClosing(false)} />
      ) : null}
    </>
  )
}

/** The conversation, the oldest message first. The owner's photographs follow the first message. */
function Thread({ claim }: { claim: DeskClaim }) {
  const { t } = useTranslation('desk-claims')
  const language = useLanguage()
  const titleOf = useEventTitle()
  return (
    <Flex component="ol" vertical gap="small" className={styles.said} aria-label={t('said')}>
      {claim.events.map((event) => {
        const { step, kind, author, text, at, compensation } = event
        const isOurs = author !== 'owner'
        const isNote = kind === 'passed-on' || kind === 'partner-answered' || kind === 'late'
        const tone = isNote ? styles.note : isOurs ? styles.ours : styles.theirs
        return (
          <li key={step} className={tone}>
            <p className={pageStyles.small}>
              <span>{titleOf(event)}</span> · <Moment at={at} />
            </p>
            {text === '' ? null : (
              <p dir="auto" className={pageStyles.typed}>
                {text}
              </p>
            )}
            {compensation ? (
              <p className={pageStyles.small}>
                {t('compensation', {
                  sum: formatMoney(compensation.halalas, language),
                  reference: isolated(compensation.reference ?? ''),
                })}
              </p>
            ) : null}
            {step === claim.events[0]?.step ? <Photos claim={claim} /> : null}
          </li>
        )
      })}
    </Flex>
  )
}

/** Shows a photograph only when the operator asks for it, because each disclosure is recorded. */
function Photos({ claim: { claimId, photos, state } }: { claim: DeskClaim }) {
  const { t } = useTranslation('desk-claims')
  const showNotice = useNotice()
  const apply = useClaimAct(claimId)
  const [shown, setShown] = useState<readonly number[]>([])
  const { send, isPending, error } = useSending(
    ({ number, bytes }: Pick<Photo, 'bytes'> & { number: number }, key) =>
      apply(sendPhoto(claimId, number, bytes, key)),
    { onSuccess: () => showNotice(t('photoAdded')) },
  )
  const free = state === 'CLOSED' ? undefined : photoNumbers.find((number) => !photos.includes(number))
  if (photos.length === 0 && free === undefined) return null
  return (
    <Flex gap="small" wrap className={styles.photos}>
      {photos.map((number) =>
        shown.includes(number) ? (
          <img
            key={number}
            src={operationHref(readDeskPhoto, { claimId, number })}
            alt={t('photo', { number })}
          />
        ) : (
          <Button key={number} size="small" onClick={() => setShown([...shown, number])}>
            {t('photoShow', { number })}
          </Button>
        ),
      )}
      {free === undefined ? null : (
        <PhotoButton isBusy={isPending} onAdd={({ bytes }) => send({ number: free, bytes })} />
      )}
      <ActProblem error={error} />
    </Flex>
  )
}
