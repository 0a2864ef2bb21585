import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { Icon } from '#client/ui/icon.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Page } from '#client/ui/page.tsx'
import type { Price } from '#shared/checkout/checkout.rules.ts'
import { packagesPerOrder } from '#shared/checkout/checkout.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import { type Fare, priceOf } from './checkout.rules.ts'
import { type OrderingProps, PayButton } from './pay-button.tsx'
import { RouteSummary } from './route-summary.tsx'
import './checkout.css'
import './checkout.texts.ts'

interface CheckoutDraft {
  readonly type: BookingType
  readonly agentCode: string | null
  readonly centerCode: string | null
}

export interface CheckoutPageProps extends OrderingProps {
  readonly draft: CheckoutDraft
  readonly userId: number
  /** Riyals. */
  readonly fare: Fare
  readonly maxWeightKg: number
  /** The person who collects the bag, and the form to change the name. */
  readonly receiver: ReactNode
  /** An unpaid order created for another route. */
  readonly earlierOrderId?: number | undefined
  /** Called when the draft has no agent or no branch. */
  readonly onMissing: () => void
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

function Review({
  type,
  agentCode,
  centerCode,
  userId,
  fare,
  maxWeightKg,
  receiver,
  earlierOrderId,
  ...ordering
}: ReviewProps) {
  const { t } = useTranslation('checkout')
  const price = priceOf(type, fare)
  return (
    <Page title={t('title')}>
      <JourneySteps current="review" />
      <RouteSummary type={type} agentCode={agentCode} centerCode={centerCode} />
      <section className="review-card" aria-labelledby="review-receiver">
        <h2 className="review-title" id="review-receiver">
          {t('receiver.title')}
        </h2>
        <p className="review-receiver">{t('receiver.text')}</p>
        {receiver}
      </section>
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
      {earlierOrderId === undefined ? null : <EarlierOrder orderId={earlierOrderId} />}
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

/** The unpaid order that was created before the route was changed. */
function EarlierOrder({ orderId }: { readonly orderId: number }) {
  const { t } = useTranslation('checkout')
  return (
    <p className="review-earlier">
      {t('earlier', { number: orderNumber(orderId) })} <Link to={paths.orders}>{t('earlierOrders')}</Link>
    </p>
  )
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
