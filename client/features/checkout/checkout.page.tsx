import { useMutation, useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isCallProblem } from '#client/platform/call.ts'
import { useRevived } from '#client/platform/document.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { logFailure } from '#client/platform/log.ts'
import { paths } from '#client/platform/paths.ts'
import { Icon } from '#client/ui/icon.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import { type PlaceFacts, PlaceView } from '#client/ui/place.tsx'
import { ToastMark } from '#client/ui/toast-mark.tsx'
import { type CheckoutRequest, packagesPerOrder } from '#shared/checkout/checkout.schemas.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import { agentsQuery, centersQuery, startCheckout } from './checkout.queries.ts'
import {
  type Fare,
  isOrderOver,
  type Leg,
  type LegEnd,
  legsOf,
  newIdempotencyKey,
  type Price,
  priceOf,
} from './checkout.rules.ts'
import './checkout.css'
import './checkout.texts.ts'
import '#client/ui/buttons.css'

interface CheckoutDraft {
  readonly type: BookingType
  readonly agentCode: string | null
  readonly centerCode: string | null
}

interface CheckoutPageProps {
  readonly draft: CheckoutDraft
  readonly userId: number
  /** Riyals. */
  readonly fare: Fare
  readonly maxWeightKg: number
  /** The Idempotency-Key this draft was sent under before, if it was. */
  readonly orderKey: string | undefined
  /** Keeps the key for as long as the draft stays as it is, over reloads and the payment document. */
  readonly onOrderKey: (key: string) => void
  /** There is nothing to review: the draft names no agent or no centre. */
  readonly onMissing: () => void
  readonly onStarted: (payment: { orderId: number; clientSecret: string; publicKey: string }) => void
}

export function CheckoutPage({ draft, onMissing, ...rest }: CheckoutPageProps) {
  const { type, agentCode, centerCode } = draft
  const isMissing = !agentCode || !centerCode

  useEffect(() => {
    if (isMissing) onMissing()
  }, [isMissing, onMissing])

  if (isMissing) return null
  return <Review type={type} agentCode={agentCode} centerCode={centerCode} {...rest} />
}

interface ReviewProps extends Omit<CheckoutPageProps, 'draft' | 'onMissing'> {
  readonly type: BookingType
  readonly agentCode: string
  readonly centerCode: string
}

function Review({ type, agentCode, centerCode, userId, fare, maxWeightKg, ...ordering }: ReviewProps) {
  const { t } = useTranslation('checkout')
  const price = priceOf(type, fare)
  return (
    <Page title={t('title')}>
      <JourneySteps current="review" />
      <RouteSummary type={type} agentCode={agentCode} centerCode={centerCode} />
      <section className="review-card" aria-labelledby="review-luggage">
        <h2 className="review-title" id="review-luggage">
          {t('luggage.title')}
        </h2>
        <p className="review-luggage">
          <Icon name="bag" />
          {t('luggage.note', { weight: maxWeightKg })}
        </p>
      </section>
      <PriceSummary price={price} />
      <PayButton
        request={{
          userId,
          type,
          noOfPackages: packagesPerOrder,
          agentCode,
          centerCode,
          amount: riyalsOf(price.totalHalalas),
        }}
        totalHalalas={price.totalHalalas}
        {...ordering}
      />
    </Page>
  )
}

function RouteSummary({
  type,
  agentCode,
  centerCode,
}: Pick<ReviewProps, 'type' | 'agentCode' | 'centerCode'>) {
  const { t } = useTranslation('checkout')
  const agents = useQuery(agentsQuery)
  const centers = useQuery(centersQuery)
  const ends: Readonly<Record<LegEnd, PlaceFacts | undefined>> = {
    agent: agents.data?.agents.find(({ id }) => id === agentCode),
    center: centers.data?.centers.find(({ code }) => code === centerCode),
  }
  const legs = legsOf(type)
  return (
    <section className="review-card" aria-labelledby="review-route">
      <div className="review-head">
        <h2 className="review-title" id="review-route">
          {t('route')}
        </h2>
        <Link className="review-change" to={paths.booking}>
          {t('change')}
        </Link>
      </div>
      {agents.isPending || centers.isPending ? (
        <Loading label={t('loading')} size="inline" />
      ) : (
        <div className="review-legs">
          {legs.map((leg) => (
            <LegSummary key={leg.from} leg={leg} ends={ends} isOneOfTwo={legs.length > 1} />
          ))}
        </div>
      )}
    </section>
  )
}

interface LegSummaryProps {
  readonly leg: Leg
  readonly ends: Readonly<Record<LegEnd, PlaceFacts | undefined>>
  readonly isOneOfTwo: boolean
}

function LegSummary({ leg, ends, isOneOfTwo }: LegSummaryProps) {
  const { t } = useTranslation('checkout')
  return (
    <div className="review-leg">
      {isOneOfTwo ? (
        <h3 className="review-leg-title">{t(leg.from === 'center' ? 'legs.toMina' : 'legs.fromMina')}</h3>
      ) : null}
      <dl className="review-ends">
        {(['from', 'to'] as const).map((side) => (
          <div key={side} className="review-end">
            <dt>{t(side)}</dt>
            <dd>
              <EndView end={leg[side]} place={ends[leg[side]]} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function EndView({ end, place }: { readonly end: LegEnd; readonly place: PlaceFacts | undefined }) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const unknown = t(end === 'agent' ? 'unknownAgent' : 'unknownLocation')
  return <PlaceView place={place ?? { coordinates: null }} language={language} unknown={unknown} isBrief />
}

function PriceSummary({ price }: { readonly price: Price }) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const money = (halalas: number) => formatMoney(halalas, language)
  return (
    <section className="review-card" aria-labelledby="review-price">
      <h2 className="review-title" id="review-price">
        {t('price.title')}
      </h2>
      <dl className="review-prices">
        <PriceRow name={t('price.oneWay')} amount={money(price.oneWayHalalas)} />
        {price.wayBackHalalas > 0 ? (
          <PriceRow name={t('price.wayBack')} amount={money(price.wayBackHalalas)} />
        ) : null}
        <PriceRow name={t('price.total')} amount={money(price.totalHalalas)} isTotal />
      </dl>
      <p className="review-vat">
        {t('price.vat', { total: money(price.totalHalalas), vat: money(price.vatHalalas) })}
      </p>
    </section>
  )
}

interface PriceRowProps {
  readonly name: string
  readonly amount: string
  readonly isTotal?: boolean
}

function PriceRow({ name, amount, isTotal = false }: PriceRowProps) {
  return (
    <div className={isTotal ? 'review-price review-total' : 'review-price'}>
      <dt>{name}</dt>
      <dd>
        <bdi>{amount}</bdi>
      </dd>
    </div>
  )
}

interface PayButtonProps extends Pick<CheckoutPageProps, 'orderKey' | 'onOrderKey' | 'onStarted'> {
  readonly request: CheckoutRequest
  readonly totalHalalas: number
}

function PayButton({ request, totalHalalas, orderKey, onOrderKey, onStarted }: PayButtonProps) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const { message } = App.useApp()
  const start = useMutation({
    mutationFn: (body: CheckoutRequest) => startOrder(body, orderKey, onOrderKey),
    onSuccess: (payment) => {
      void message.success({ content: t('redirecting'), icon: <ToastMark tone="good" /> })
      onStarted(payment)
    },
    onError: (error) => {
      logFailure('checkout failed', error)
      void message.error({ content: t('failed'), icon: <ToastMark tone="bad" /> })
    },
  })
  useRevived(start.reset)

  // The way to the payment page takes a while on a slow line: a second tap then must not start over.
  const isBusy = start.isPending || start.isSuccess
  return (
    <>
      {isCallProblem(start.error) ? <Refusal problem={start.error} /> : null}
      <button
        type="button"
        className="button button-primary review-pay"
        disabled={isBusy}
        onClick={() => start.mutate(request)}
      >
        {isBusy ? t('processing') : t('pay', { amount: formatMoney(totalHalalas, language) })}
      </button>
    </>
  )
}

function Refusal({
  problem,
}: {
  readonly problem: { message: string; fields: readonly { field: string; message: string }[] }
}) {
  return (
    <div className="review-refusal" role="alert">
      <p>{problem.message}</p>
      {problem.fields.length > 0 ? (
        <ul>
          {problem.fields.map(({ field, message }) => (
            <li key={field}>{message}</li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/**
 * Under the key the draft was sent with before, so that whoever comes back from the card form pays the order that
 * waits there. Where that order cannot be paid any more, the same press makes a new one.
 */
async function startOrder(
  body: CheckoutRequest,
  kept: string | undefined,
  onKey: CheckoutPageProps['onOrderKey'],
) {
  if (kept !== undefined) {
    try {
      return await startCheckout(body, kept)
    } catch (error) {
      if (!isCallProblem(error) || !isOrderOver(error.code)) throw error
    }
  }
  const key = newIdempotencyKey()
  // Kept before the answer: one that is lost on the way must not cost a second order.
  onKey(key)
  return startCheckout(body, key)
}
