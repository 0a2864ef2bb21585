import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { BagPass } from '#client/entities/purchase/bag-pass.tsx'
import {
  BagNote,
  CancellationSentence,
  CardMarks,
  HelpLine,
  SellerFacts,
  TotalPrice,
} from '#client/entities/purchase/purchase-facts.tsx'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { Button } from '#client/ui/button.tsx'
import { Cord } from '#client/ui/cord.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Note } from '#client/ui/note.tsx'
import { Page } from '#client/ui/page.tsx'
import type { Price } from '#shared/checkout/checkout.rules.ts'
import { packagesPerOrder } from '#shared/checkout/checkout.schemas.ts'
import type { PurchaseConfig } from '#shared/config/config.operations.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import { isShortForLabel } from '#shared/sessions/person-name.ts'
import { type Fare, priceOf } from './checkout.rules.ts'
import { type OrderingProps, PayButton, payButtonId } from './pay-button.tsx'
import { RouteSummary, useRouteEnds } from './route-summary.tsx'
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
  readonly purchase: PurchaseConfig
  readonly helpPhone: string
  readonly receiverName: string | null
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
  purchase,
  helpPhone,
  receiverName,
  receiver,
  earlierOrderId,
  ...ordering
}: ReviewProps) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const price = priceOf(type, fare)
  const [wholeName, setWholeName] = useState<string>()
  const nameQuestion = useRef<HTMLDivElement>(null)
  // Asked once: with the order's key the question was answered.
  const isNameShort =
    receiverName !== null &&
    isShortForLabel(receiverName) &&
    receiverName !== wholeName &&
    ordering.orderKey === undefined
  const askForName = () => nameQuestion.current?.focus()
  const ends = useRouteEnds(agentCode, centerCode)
  const legs = legsOf(type)
  const lastLeg = legs.at(-1)
  const destination = lastLeg && ends.locations[lastLeg.to]
  return (
    <Page title={t('title')} width="columns">
      <JourneySteps current="review" />
      <div className="columns-main">
        {earlierOrderId === undefined ? null : <EarlierOrder orderId={earlierOrderId} />}
        <RouteSummary type={type} ends={ends} />
        <section className="review-part" aria-labelledby="review-receiver">
          <h2 className="visually-hidden" id="review-receiver">
            {t('receiver.title')}
          </h2>
          {receiver}
          {isNameShort && !ordering.isReceiverOpen ? (
            <Note tone="pending" ref={nameQuestion} tabIndex={-1} className="review-name">
              <p>{t('receiver.short', { name: receiverName })}</p>
              <Button
                onClick={() => {
                  // The button is gone then: what comes next is paying.
                  flushSync(() => setWholeName(receiverName))
                  document.getElementById(payButtonId)?.focus()
                }}
              >
                {t('receiver.whole')}
              </Button>
            </Note>
          ) : null}
          <p className="review-quiet">{t('receiver.text')}</p>
        </section>
        <PriceSummary price={price} seller={purchase.seller} />
        <section className="review-luggage" aria-labelledby="review-luggage">
          <h2 className="visually-hidden" id="review-luggage">
            {t('luggage')}
          </h2>
          <BagNote maxWeightKg={maxWeightKg} purchase={purchase} />
        </section>
        <PaymentTerms purchase={purchase} helpPhone={helpPhone} />
      </div>
      <div className="columns-side">
        {/* Repeats what stands beside it. */}
        <div className="only-beside" aria-hidden="true">
          {destination === undefined ? null : (
            <>
              <Cord />
              <BagPass
                maxWeightKg={maxWeightKg}
                origins={legs.map(({ from }) => ends.locations[from])}
                destination={destination}
                receiver={receiverName}
              />
            </>
          )}
        </div>
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
          terms={purchase.terms[language]}
          isNameShort={isNameShort}
          onNameShort={askForName}
          {...ordering}
        />
      </div>
    </Page>
  )
}

/** The unpaid order that was created before the route was changed. */
function EarlierOrder({ orderId }: { readonly orderId: number }) {
  const { t } = useTranslation('checkout')
  return (
    <Note tone="pending" className="review-earlier">
      <span>
        {t('earlier', { number: orderNumber(orderId) })} <Link to={paths.orders}>{t('earlierOrders')}</Link>
      </span>
    </Note>
  )
}

interface PriceSummaryProps {
  readonly price: Price
  readonly seller: PurchaseConfig['seller']
}

function PriceSummary({ price, seller }: PriceSummaryProps) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const isReturn = price.wayBackHalalas > 0
  return (
    <section className="review-price" aria-labelledby="review-price">
      <h2 className="visually-hidden" id="review-price">
        {t('price.title')}
      </h2>
      {isReturn ? (
        <dl className="review-fares">
          <FareRow name={t('price.oneWay')} amount={formatMoney(price.oneWayHalalas, language)} />
          <FareRow name={t('price.wayBack')} amount={formatMoney(price.wayBackHalalas, language)} />
        </dl>
      ) : null}
      <TotalPrice name={t('price.total')} halalas={price.totalHalalas} seller={seller} />
    </section>
  )
}

function FareRow({ name, amount }: { readonly name: string; readonly amount: string }) {
  return (
    <div className="review-fare">
      <dt>{name}</dt>
      <dd>
        <bdi>{amount}</bdi>
      </dd>
    </div>
  )
}

interface PaymentTermsProps {
  readonly purchase: PurchaseConfig
  readonly helpPhone: string
}

/** Who takes the money, with which cards, on which terms, and whom to ask. */
function PaymentTerms({ purchase, helpPhone }: PaymentTermsProps) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  return (
    <section className="review-payment" aria-labelledby="review-payment">
      <h2 className="visually-hidden" id="review-payment">
        {t('payment')}
      </h2>
      <div className="review-provider">
        <CardMarks cards={purchase.cards} />
        <p className="review-quiet">{t('provider', { provider: purchase.provider[language] })}</p>
      </div>
      <p className="review-quiet">
        <CancellationSentence terms={purchase.cancellation} />
      </p>
      <SellerFacts seller={purchase.seller} />
      <HelpLine phone={helpPhone} />
    </section>
  )
}
