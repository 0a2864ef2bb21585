import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Link, Navigate } from 'react-router-dom'
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
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Note } from '#client/ui/note.tsx'
import pageStyles from '#client/ui/page.module.css'
import { Page } from '#client/ui/page.tsx'
import textStyles from '#client/ui/text.module.css'
import type { Price } from '#shared/checkout/checkout.rules.ts'
import { packagesPerOrder } from '#shared/checkout/checkout.schemas.ts'
import type { PurchaseConfig } from '#shared/config/config.operations.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import { isShortForLabel } from '#shared/sessions/person-name.ts'
import styles from './checkout.module.css'
import { type Fare, priceOf } from './checkout.rules.ts'
import { type OrderingProps, PayButton, payButtonId } from './pay-button.tsx'
import { type RouteEnds, RouteSummary, useRouteEnds } from './route-summary.tsx'

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
}

export function CheckoutPage({ draft, ...rest }: CheckoutPageProps) {
  const { type, agentCode, centerCode } = draft
  if (!agentCode || !centerCode) return <Navigate to={paths.booking} replace />
  return <Review type={type} agentCode={agentCode} centerCode={centerCode} {...rest} />
}

interface ReviewProps extends Omit<CheckoutPageProps, 'draft'> {
  readonly type: BookingType
  readonly agentCode: string
  readonly centerCode: string
}

function Review({ type, agentCode, centerCode, receiverName, receiver, ...props }: ReviewProps) {
  const { userId, fare, maxWeightKg, purchase, helpPhone, earlierOrderId, ...ordering } = props
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const price = priceOf(type, fare)
  const ends = useRouteEnds(agentCode, centerCode)
  const [wholeName, setWholeName] = useState<string>()
  const nameQuestion = useRef<HTMLDivElement>(null)
  // Asked once: with the order's key the question was answered.
  const shortName =
    receiverName !== wholeName && ordering.orderKey === undefined && isShortForLabel(receiverName ?? '')
      ? receiverName
      : null
  return (
    <Page title={t('title')} width="columns">
      <JourneySteps current="review" />
      <div>
        {earlierOrderId === undefined ? null : <EarlierOrder orderId={earlierOrderId} />}
        <RouteSummary type={type} ends={ends} />
        <Part name="receiver.title" className={styles.part}>
          {receiver}
          {shortName !== null && !ordering.isReceiverOpen ? (
            <NameQuestion ref={nameQuestion} name={shortName} onWhole={() => setWholeName(shortName)} />
          ) : null}
          <p className={textStyles.hint}>{t('receiver.text')}</p>
        </Part>
        <PriceSummary price={price} seller={purchase.seller} />
        <Part name="luggage" className={styles.luggage}>
          <BagNote maxWeightKg={maxWeightKg} purchase={purchase} />
        </Part>
        <PaymentTerms purchase={purchase} helpPhone={helpPhone} />
      </div>
      <div className={pageStyles.side}>
        <PassBeside type={type} ends={ends} maxWeightKg={maxWeightKg} receiverName={receiverName} />
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
          isNameShort={shortName !== null}
          onNameShort={() => nameQuestion.current?.focus()}
          {...ordering}
        />
      </div>
    </Page>
  )
}

interface PartProps {
  /** The text key of its heading, which only screen readers get. */
  readonly name: string
  readonly className: string | undefined
  readonly children: ReactNode
}

function Part({ name, className, children }: PartProps) {
  const { t } = useTranslation('checkout')
  const headingId = useId()
  return (
    <section className={className} aria-labelledby={headingId}>
      <h2 className="visually-hidden" id={headingId}>
        {t(name)}
      </h2>
      {children}
    </section>
  )
}

interface NameQuestionProps {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly name: string
  readonly onWhole: () => void
}

/** Whether a name that short for a label is the whole name. */
function NameQuestion({ ref, name, onWhole }: NameQuestionProps) {
  const { t } = useTranslation('checkout')
  const answer = () => {
    // The button is gone then: what comes next is paying.
    flushSync(onWhole)
    document.getElementById(payButtonId)?.focus()
  }
  return (
    <Note tone="pending" ref={ref} tabIndex={-1} className={styles.name}>
      <p>{t('receiver.short', { name })}</p>
      <Button onClick={answer}>{t('receiver.whole')}</Button>
    </Note>
  )
}

interface PassBesideProps extends Pick<ReviewProps, 'type' | 'maxWeightKg' | 'receiverName'> {
  readonly ends: RouteEnds
}

/** Repeats what stands beside it. */
function PassBeside({ type, ends, maxWeightKg, receiverName }: PassBesideProps) {
  const legs = legsOf(type)
  const last = legs.at(-1)
  const destination = last && ends.locations[last.to]
  return (
    <div className={pageStyles.onlyBeside} aria-hidden="true">
      {destination === undefined ? null : (
        <BagPass
          maxWeightKg={maxWeightKg}
          origins={legs.map(({ from }) => ends.locations[from])}
          destination={destination}
          receiver={receiverName}
        />
      )}
    </div>
  )
}

/** The unpaid order that was created before the route was changed. */
function EarlierOrder({ orderId }: { readonly orderId: number }) {
  const { t } = useTranslation('checkout')
  return (
    <Note tone="pending" className={styles.earlier}>
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
    <Part name="price.title" className={styles.price}>
      {isReturn ? (
        <dl>
          <FareRow name={t('price.oneWay')} amount={formatMoney(price.oneWayHalalas, language)} />
          <FareRow name={t('price.wayBack')} amount={formatMoney(price.wayBackHalalas, language)} />
        </dl>
      ) : null}
      <TotalPrice name={t('price.total')} halalas={price.totalHalalas} seller={seller} />
    </Part>
  )
}

function FareRow({ name, amount }: { readonly name: string; readonly amount: string }) {
  return (
    <div className={styles.fare}>
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
    <Part name="payment" className={styles.payment}>
      <div className={styles.provider}>
        <CardMarks cards={purchase.cards} />
        <p className={textStyles.hint}>{t('provider', { provider: purchase.provider[language] })}</p>
      </div>
      <p className={textStyles.hint}>
        <CancellationSentence terms={purchase.cancellation} />
      </p>
      <SellerFacts seller={purchase.seller} />
      <HelpLine phone={helpPhone} />
    </Part>
  )
}
