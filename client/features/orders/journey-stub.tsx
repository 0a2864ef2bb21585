import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { FullScreenCodes } from '#client/entities/airway-bill/full-screen-codes.tsx'
import { AnotherBag } from '#client/entities/order/another-bag.tsx'
import { handoverOf } from '#client/entities/order/journey.rules.ts'
import { bagsOf, bagsToShow, type JourneyBag } from '#client/entities/order/journeys.rules.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { BagBadge } from '#client/entities/tag/bag-badge.tsx'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { leadOf, tagOfBag } from '#client/entities/tag/tag.rules.ts'
import { CityLetters, StubHead } from '#client/entities/tag/tag-parts.tsx'
import { formatDayInBoth, formatMomentInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useNow } from '#client/platform/time.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Icon } from '#client/ui/icon.tsx'
import knotStyles from '#client/ui/knot.module.css'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import pointStyles from '#client/ui/points.module.css'
import textStyles from '#client/ui/text.module.css'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { type Day, unlessPast } from '#shared/platform/promises.rules.ts'
import styles from './journey-stub.module.css'
import stubStyles from './order-stub.module.css'
import { FoldButton, OrderHead, OrderTable, type StubProps } from './order-stub.tsx'
import { isOver } from './orders.rules.ts'

interface JourneyStubProps extends StubProps {
  /** Several orders of the same route, the oldest one first. */
  readonly journey: readonly Order[]
}

/** The bags of one journey as one stub, with a knot on its thread for each. */
export function JourneyStub({ journey, isPrimary, isCutOff, onChanged }: JourneyStubProps) {
  const language = useLanguage()
  const titleId = useId()
  const bags = bagsOf(journey)
  const newest = journey.at(-1)
  const city = newest?.bookings.at(-1)?.destination.city
  const isEnded = isOver(journey)
  const name = sharedBy(bags.map(nameOn))
  const statesOf = useStates()
  const states = bags.map(statesOf)
  const [state, time] = [sharedBy(states.map(({ state }) => state)), sharedBy(states.map(({ time }) => time))]
  return (
    <article className={`${stubStyles.stub} ${styles.journey}`} aria-labelledby={titleId}>
      <LuggageTag
        shape="stub"
        state={isEnded ? 'over' : undefined}
        city={city}
        ear={
          <>
            <CityLetters city={city} />
            <i className={styles.thread} aria-hidden="true" />
          </>
        }
        facts={
          <>
            <StubHead id={titleId}>
              {city === undefined ? null : <h3>{cityName(city, language)}</h3>}
              <JourneyBadge bags={bags} />
            </StubHead>
            <JourneyLine bags={bags} time={time} />
            {name === undefined ? null : (
              <p className={textStyles.quiet}>
                <bdi>{name}</bdi>
              </p>
            )}
            {/* The button stands above the bags. Below them, long names would move it off a short screen. */}
            <ShowCodes bags={bags} isPrimary={isPrimary} onClosed={isCutOff ? undefined : onChanged} />
            <ul>
              {bags.map((bag, index) => (
                <BagRow
                  key={bag.order.orderId}
                  bag={bag}
                  name={name === undefined ? nameOn(bag) : undefined}
                  state={[
                    state === undefined ? states[index]?.state : undefined,
                    time === undefined ? states[index]?.time : undefined,
                  ]}
                />
              ))}
            </ul>
            <Files journey={journey} isCutOff={isCutOff} onChanged={onChanged} />
            {newest === undefined || isEnded || isCutOff ? null : (
              <div className={styles.another} data-screen>
                <i className={`${knotStyles.knot} ${styles.ring}`} aria-hidden="true" />
                <AnotherBag order={newest} look="quiet" />
              </div>
            )}
          </>
        }
      />
    </article>
  )
}

interface BagsProps {
  readonly bags: readonly JourneyBag<Order>[]
}

/** The value that all bags of a journey share, which the stub shows once. `undefined` when they differ. */
const sharedBy = <T,>(values: readonly T[]): T | undefined =>
  new Set(values).size === 1 ? values[0] : undefined

/** The name on the airway bill, once the receiver is known. */
const nameOn = ({ order, booking }: JourneyBag<Order>) => booking.receiver ?? order.receiver?.name

/** The number of bags handed in. Once all are, it shows the state of the bag that is furthest behind. */
function JourneyBadge({ bags }: BagsProps) {
  const { t } = useTranslation('orders')
  const count = bags.filter(({ isHandedIn }) => isHandedIn).length
  const lead = bags[leadOf(bags.map(({ booking }) => booking))]
  if (count === bags.length && lead !== undefined) return <BagBadge bag={lead.booking} />
  return <Badge tone="over" text={t('journey.handedIn', { count, total: bags.length })} />
}

interface JourneyLineProps extends BagsProps {
  /** When all bags were handed in, if that was at the same time. */
  readonly time: string | undefined
}

function JourneyLine({ bags, time }: JourneyLineProps) {
  const { t } = useTranslation('orders')
  const { t: ofCard } = useTranslation('order-card')
  const language = useLanguage()
  const now = useNow(60_000)
  const until = handInUntilOf(bags, now)
  const day = until && formatDayInBoth(until, language)
  const isIssuing = bags.every(({ booking }) => booking.awb === null)
  const parts = [
    t('journey.bags', { count: bags.length }),
    time,
    isIssuing ? ofCard('noAwb.PAID') : undefined,
    day && t('journey.until', { day }),
  ]
  return (
    <p className={`${textStyles.quiet} ${styles.line}`}>
      <Parts of={parts} />
    </p>
  )
}

/** The parts that are known, with a dot between two on the same line and none at the end of a line. */
function Parts({ of }: { readonly of: readonly (string | undefined)[] }) {
  const known = of.filter((part) => part !== undefined)
  return (
    <span className={`${layout.cluster} ${pointStyles.points}`}>
      {known.map((part, index) => (
        <span key={part}>
          {index === 0 ? null : <span className="visually-hidden"> · </span>}
          <span>{part}</span>
        </span>
      ))}
    </span>
  )
}

/** The earliest hand-in day of the bags; `undefined` when one of them has no such day. */
function handInUntilOf(bags: BagsProps['bags'], now: number): Day | undefined {
  const days = bags
    .filter(({ isHandedIn }) => !isHandedIn)
    .map(({ order }) => unlessPast(order.promises?.handInUntil, now))
  return days.some((day) => day === undefined) ? undefined : days.toSorted()[0]
}

interface BagRowProps {
  readonly bag: JourneyBag<Order>
  /** `undefined` when all bags of the journey have one name, which the stub shows once. */
  readonly name: string | undefined
  /** The state of the bag, and when it was handed in; each `undefined` where the stub shows it once. */
  readonly state: readonly (string | undefined)[]
}

/** The row of a bag, which links to the page of its order. */
function BagRow({ bag: { order, booking, isHandedIn }, name, state }: BagRowProps) {
  const { t } = useTranslation('orders')
  const hasState = state.some((part) => part !== undefined)
  const { orderId } = order
  const number = orderNumber(orderId)
  const last = booking.awb?.slice(-4)
  return (
    <li className={classes(layout.cluster, styles.bag, isHandedIn && styles.handedIn)}>
      <i className={`${knotStyles.knot} ${styles.knot}`} aria-hidden="true" data-screen />
      <span className={`${layout.grid} ${styles.whose}`}>
        <b>{name === undefined ? <OrderNumber orderId={orderId} /> : <bdi>{name}</bdi>}</b>
        {hasState ? (
          <span className={`${textStyles.quiet} ${styles.state}`}>
            <Parts of={state} />
          </span>
        ) : null}
      </span>
      {last === undefined ? null : (
        <span className={styles.last}>
          <Ltr>{last}</Ltr>
        </span>
      )}
      <Icon name="next" />
      <Link
        className={styles.go}
        to={paths.order(orderId)}
        aria-label={last === undefined ? number : t('journey.bag', { number, last })}
      />
    </li>
  )
}

/** The state of a bag in words; once it was handed in to the agent, also when. */
function useStates() {
  const { t } = useTranslation('orders')
  const { t: ofTag } = useTranslation('tag')
  const { t: ofCard } = useTranslation('order-card')
  const language = useLanguage()
  return ({ booking, isHandedIn }: JourneyBag<Order>): { state: string; time?: string | undefined } => {
    if (booking.awb === null) return { state: ofCard('noAwb.PAID') }
    if (!isHandedIn) return { state: t('journey.waiting') }
    const state = tagOfBag(booking)
    const at = state === 'torn' ? handoverOf(booking.events)?.at : undefined
    return {
      state: ofTag(`badge.${state}`),
      time: at === undefined ? undefined : formatMomentInBoth(at, language),
    }
  }
}

interface ShowCodesProps extends BagsProps {
  readonly isPrimary: boolean
  /** `undefined` when the server cannot be reached. */
  readonly onClosed: (() => void) | undefined
}

/** Shows the barcodes that are needed next, one after the other, on the whole screen. */
function ShowCodes({ bags, isPrimary, onClosed }: ShowCodesProps) {
  const { t } = useTranslation('orders')
  const [isOpen, setIsOpen] = useState(false)
  const codes = bagsToShow(bags).map((bag) => ({
    awb: bag.booking.awb ?? '',
    orderId: bag.order.orderId,
    city: bag.booking.destination.city,
    receiver: nameOn(bag),
  }))
  // Close it, so that it does not open on its own when a barcode can be shown again.
  if (isOpen && codes.length === 0) setIsOpen(false)
  if (codes.length === 0) return null
  const close = () => {
    setIsOpen(false)
    // A bag may have been handed in meanwhile.
    onClosed?.()
  }
  return (
    <>
      <div className={styles.show} data-screen>
        <Button look={isPrimary ? 'primary' : undefined} isWide icon="scan" onClick={() => setIsOpen(true)}>
          {codes.length === 2 ? t('journey.showBoth') : t('journey.show', { count: codes.length })}
        </Button>
      </div>
      {isOpen ? <FullScreenCodes codes={codes} onClose={close} /> : null}
    </>
  )
}

/** The numbers and files of each order, folded on screen and open in print. */
function Files({ journey, isCutOff, onChanged }: Omit<JourneyStubProps, 'isPrimary'>) {
  const [isOpen, setIsOpen] = useState(false)
  const baseId = useId()
  return (
    <>
      <FoldButton isOpen={isOpen} onPress={() => setIsOpen(!isOpen)} />
      <div className={isOpen ? undefined : styles.folded}>
        {journey.map((order) => (
          <article
            key={order.orderId}
            className={styles.order}
            aria-labelledby={`${baseId}-${order.orderId}`}
          >
            <OrderHead order={order} titleId={`${baseId}-${order.orderId}`} />
            <OrderTable order={order} isCutOff={isCutOff} onChanged={onChanged} />
          </article>
        ))}
      </div>
    </>
  )
}
