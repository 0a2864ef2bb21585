import type { ParseKeys } from 'i18next'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, Navigate } from 'react-router-dom'
import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { NameQuestion } from '#client/entities/order/name-question.tsx'
import { BagPass } from '#client/entities/purchase/bag-pass.tsx'
import { NotInTheBag } from '#client/entities/purchase/not-in-the-bag.tsx'
import { priceOf } from '#client/entities/purchase/price.rules.ts'
import { HelpLine, SellerFacts, TotalPrice } from '#client/entities/purchase/purchase-facts.tsx'
import {
  CancellationSentence,
  ExampleSentence,
  LiabilitySentence,
  LostSentence,
} from '#client/entities/purchase/terms-sentences.tsx'
import { useStops } from '#client/entities/stop/use-stops.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useSession } from '#client/session/session.ts'
import { classes } from '#client/ui/classes.ts'
import { takeFocus } from '#client/ui/focus.ts'
import { Icon } from '#client/ui/icon.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import layout from '#client/ui/layout.module.css'
import { Money } from '#client/ui/money.tsx'
import { Note } from '#client/ui/note.tsx'
import pageStyles from '#client/ui/page.module.css'
import { Page } from '#client/ui/page.tsx'
import textStyles from '#client/ui/text.module.css'
import { packagesPerOrder } from '#shared/checkout/checkout.operations.ts'
import type { Price } from '#shared/checkout/checkout.rules.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import { isShortForLabel } from '#shared/sessions/person-name.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import styles from './checkout.module.css'
import { type OrderingProps, PayButton, payButtonId } from './pay-button.tsx'
import { type RouteEnds, RouteSummary, useRouteEnds } from './route-summary.tsx'
import { ThreadKnot } from './thread-knot.tsx'

interface CheckoutDraft {
  readonly type: BookingType
  readonly agentCode: string | null
  readonly centerCode: string | null
}

export interface CheckoutPageProps extends OrderingProps {
  readonly draft: CheckoutDraft
  /** The receiver when that is not the owner. */
  readonly named: NamedReceiver
  /** The person who collects the bag, and the forms to change that. */
  readonly receiver: ReactNode
  /** The address that also gets the receipt. */
  readonly email: ReactNode
  /** Notice that another booking waits. */
  readonly notice?: ReactNode
  /** A short name that the user has confirmed before. */
  readonly printedName?: string | undefined
  /** An unpaid order created for another route or receiver; `null` when its number is not known. */
  readonly earlierOrderId?: number | null | undefined
}

export function CheckoutPage({ draft, ...rest }: CheckoutPageProps) {
  const { type, agentCode, centerCode } = draft
  const { user } = useSession()
  if (user === null) return null
  if (!agentCode || !centerCode) return <Navigate to={paths.booking} replace />
  return <Review type={type} agentCode={agentCode} centerCode={centerCode} user={user} {...rest} />
}

interface ReviewProps extends Omit<CheckoutPageProps, 'draft'> {
  readonly type: BookingType
  readonly agentCode: string
  readonly centerCode: string
  readonly user: User
}

function Review(props: ReviewProps) {
  const { type, agentCode, centerCode, user, named, receiver, email, ...others } = props
  const { notice, printedName, earlierOrderId, ...ordering } = others
  const { t } = useTranslation('checkout')
  const { fare, stops } = useLoadedConfig()
  const price = priceOf(type, fare)
  const ends = useRouteEnds(agentCode, centerCode)
  const sale = { agent: agentCode, branch: centerCode, city: ends.locations.center?.city }
  const stop = useStops(stops)(sale)
  const [isStarting, setIsStarting] = useState(false)
  const [wholeName, setWholeName] = useState(printedName)
  const nameQuestion = useRef<HTMLDivElement>(null)
  const name = named.receiver?.name ?? user.name
  // The receiver form asks about a receiver's name. An order key proves that the question was answered already.
  const isAsked = named.receiver === undefined && ordering.orderKey === undefined && name !== wholeName
  const shortName = isAsked && isShortForLabel(name ?? '') ? name : null
  return (
    <Page title={t('title')} width="columns">
      <JourneySteps current="review" />
      <div>
        {earlierOrderId === undefined ? null : <EarlierOrder orderId={earlierOrderId} />}
        <div>{notice}</div>
        <RouteSummary type={type} ends={ends} />
        <Part name="receiver.title" className={classes(styles.knot, styles.receiver)} inert={isStarting}>
          <ThreadKnot />
          {receiver}
          {shortName !== null && !ordering.isReceiverOpen ? (
            <NameQuestion
              ref={nameQuestion}
              name={shortName}
              onWhole={() => {
                // The pressed button is gone after this, so the focus moves to the pay button.
                flushSync(() => setWholeName(shortName))
                takeFocus(document.getElementById(payButtonId))
              }}
            />
          ) : null}
        </Part>
        {/* It stands above the pay button, so that users see it before they pay. */}
        <Luggage />
        <PriceSummary price={price} />
        <div className={styles.email}>{email}</div>
      </div>
      <div className={pageStyles.side}>
        <PassBeside type={type} ends={ends} receiver={name} />
        <PayButton
          request={{
            userId: user.id,
            type,
            noOfPackages: packagesPerOrder,
            agentCode,
            centerCode,
            amount: riyalsOf(price.totalHalalas),
            ...named,
          }}
          totalHalalas={price.totalHalalas}
          stop={stop}
          isNameShort={shortName !== null}
          onNameShort={() => takeFocus(nameQuestion.current)}
          onBusy={setIsStarting}
          {...ordering}
        />
      </div>
      <Seller />
    </Page>
  )
}

interface PartProps {
  /** The text key of its heading, which only screen readers get. */
  readonly name: ParseKeys<'checkout'>
  readonly className: string | undefined
  readonly inert?: boolean
  readonly children: ReactNode
}

function Part({ name, children, ...rest }: PartProps) {
  const { t } = useTranslation('checkout')
  const headingId = useId()
  return (
    <section {...rest} aria-labelledby={headingId}>
      <h2 className="visually-hidden" id={headingId}>
        {t(name)}
      </h2>
      {children}
    </section>
  )
}

/** The forbidden contents of a bag. */
function Luggage() {
  const { t } = useTranslation('purchase')
  return (
    <section className={classes(layout.stack, layout.gap2, styles.luggage)} aria-labelledby="review-luggage">
      <h2 id="review-luggage">{t('notInTheBag.title')}</h2>
      <NotInTheBag />
    </section>
  )
}

interface PassBesideProps {
  readonly type: BookingType
  readonly ends: RouteEnds
  readonly receiver: string | null
}

/** A pass that repeats the facts next to it, so it is hidden from screen readers. */
function PassBeside({ type, ends, receiver }: PassBesideProps) {
  const legs = legsOf(type)
  const last = legs.at(-1)
  const destination = last && ends.locations[last.to]
  return (
    <div className={pageStyles.onlyBeside} aria-hidden="true">
      {destination === undefined ? null : (
        <BagPass
          origins={legs.map(({ from }) => ends.locations[from])}
          destination={destination}
          receiver={receiver}
        />
      )}
    </div>
  )
}

/** The unpaid order that was created before the route was changed. */
function EarlierOrder({ orderId }: { readonly orderId: number | null }) {
  const { t } = useTranslation('checkout')
  // The isolates keep the number from left to right.
  const number = orderId === null ? '' : ` \u2068${orderNumber(orderId)}\u2069`
  return (
    <Note tone="pending" className={styles.earlier}>
      <span>
        <span>{t('earlier', { number })}</span> <Link to={paths.orders}>{t('earlierOrders')}</Link>
      </span>
    </Note>
  )
}

function PriceSummary({ price }: { readonly price: Price }) {
  const { t } = useTranslation('checkout')
  const { t: ofPurchase } = useTranslation('purchase')
  const { maxWeightKg } = useLoadedConfig()
  const isReturn = price.wayBackHalalas > 0
  const bag = ofPurchase('bag', { weight: maxWeightKg })
  return (
    <Part name="price.title" className={styles.price}>
      {isReturn ? (
        <dl>
          <FareRow name={t('price.oneWay')} halalas={price.oneWayHalalas} />
          <FareRow name={t('price.wayBack')} halalas={price.wayBackHalalas} />
        </dl>
      ) : null}
      <TotalPrice name={isReturn ? t('price.total', { bag }) : bag} halalas={price.totalHalalas} />
      <LostSentence className={textStyles.hint} />
      <LiabilitySentence className={textStyles.hint} />
    </Part>
  )
}

function FareRow({ name, halalas }: { readonly name: string; readonly halalas: number }) {
  return (
    <div className={classes(layout.split, layout.gap4, styles.fare)}>
      <dt>{name}</dt>
      <dd>
        <Money halalas={halalas} />
      </dd>
    </div>
  )
}

/** Facts that few people read before they pay: refunds, the payment provider, the seller's registration numbers and contact. */
function Seller() {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const { contact, demo, promises, purchase } = useLoadedConfig()
  return (
    <details className={styles.seller}>
      <summary className={textStyles.unfold}>
        <span>{t('seller')}</span>
        <Icon name="chevron" />
      </summary>
      <p className={textStyles.hint}>
        <CancellationSentence />
      </p>
      <p className={textStyles.hint}>{t('provider', { provider: purchase.provider[language] })}</p>
      <SellerFacts />
      <ExampleSentence demo={demo} promises={promises} className={textStyles.hint} />
      <HelpLine phone={contact.phone} />
    </details>
  )
}
