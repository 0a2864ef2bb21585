import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import awbStyles from '#client/entities/airway-bill/awb.module.css'
import { AwbCode } from '#client/entities/airway-bill/barcode.tsx'
import { FullScreenCode } from '#client/entities/airway-bill/full-screen-code.tsx'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { type LocationFacts, LocationView, withoutCity } from '#client/entities/location/location.tsx'
import { Arrival, KeptUntil, useArrivalTitle } from '#client/entities/order/bag-days.tsx'
import { handoverOf, refusalOf } from '#client/entities/order/journey.rules.ts'
import { NotAccepted } from '#client/entities/order/not-accepted.tsx'
import { isValidBag } from '#client/entities/order/order-card.rules.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { useHoursOf } from '#client/entities/partner/partner.queries.ts'
import { useDaysText } from '#client/entities/promise/days-text.ts'
import { BagBadge } from '#client/entities/tag/bag-badge.tsx'
import { CityBand } from '#client/entities/tag/city-band.tsx'
import { HandoverPhoto } from '#client/entities/tag/handover-photo.tsx'
import { HandoverReceipt } from '#client/entities/tag/handover-receipt.tsx'
import { GhostCode, LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { stepsOf, type TagState, tagOfBag } from '#client/entities/tag/tag.rules.ts'
import { TagBack } from '#client/entities/tag/tag-back.tsx'
import { TagFrame } from '#client/entities/tag/tag-frame.tsx'
import { TagFact } from '#client/entities/tag/tag-parts.tsx'
import { AllEvents, Timeline } from '#client/entities/tag/timeline.tsx'
import { useBefore } from '#client/entities/tag/use-before.ts'
import { formatDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useIsTold } from '#client/session/use-is-told.ts'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { takeFocus } from '#client/ui/focus.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import type { BagDays } from '#shared/orders/bag-days.rules.ts'
import type { Leg } from '#shared/orders/orders.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { placeOf } from '#shared/orders/place.rules.ts'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { LateHelp, LateWords } from './late-help.tsx'
import { NextAction } from './next-action.tsx'
import { NextSteps, WhatToBring } from './next-steps.tsx'
import { OrderTag } from './order-tag.tsx'
import styles from './pass-leg.module.css'
import { ShareJourney } from './share-journey.tsx'

interface PassLegProps {
  readonly orderId: number
  readonly booking: Booking
  /** The index of the bag in the order. */
  readonly index: number
  readonly leg: Leg
  /** The code of the bag's branch. */
  readonly centerCode: string | undefined
  /** The name of the receiver whom the owner has named. */
  readonly receiver: string | undefined
  /** The server cannot be reached: what needs it is not offered. */
  readonly isCutOff: boolean
  /** The action of this bag is the primary action of the page. */
  readonly isFirst: boolean
  /** The thread of the page ends in the hole of this bag's tag. */
  readonly isOnThread: boolean
  /** The order, if its owner can share the journey here. */
  readonly sharedOrder: Order | undefined
  /** The promised days of the bag at `now`, in epoch milliseconds. */
  readonly days: BagDays
  readonly now: number
  /** The promised amount for a lost bag, in SAR. */
  readonly lostSar: number | undefined
  /** The address of the form that reports the bag as late. */
  readonly reportLate: string | undefined
  /** The owner may cancel the bag's order. */
  readonly isCancellable: boolean
  /** The link that books another bag, shown while this bag is to be handed over. */
  readonly another: ReactNode
}

/** One bag: its tag, its current facts, and its next action. */
export function PassLeg({ receiver, booking: given, centerCode, ...props }: PassLegProps) {
  const { leg, isFirst } = props
  // The receiver's name as it is printed on the airway bill, as soon as that is known.
  const booking = receiver === undefined ? given : { ...given, receiver: given.receiver ?? receiver }
  const state = tagOfBag(booking)
  const before = useBefore(state)
  const [isFollowing, setIsFollowing] = useState(false)
  // The state of the bag in which the full-screen barcode was opened. When the state changes, the full screen closes.
  const [fullIn, setFullIn] = useState<TagState>()
  const timelineId = useId()
  const ends = useEnds(booking, leg, centerCode)
  const bag: LegBag = {
    ...props,
    ...ends,
    booking,
    before,
    state: shownStateOf(state, props.days, isFollowing),
    onOpen: () => setFullIn(state),
  }
  const follow = () => {
    flushSync(() => setIsFollowing(true))
    takeFocus(document.getElementById(timelineId))
  }
  // A layout effect runs before the page is painted, so that no key press reaches a button that is gone.
  useLayoutEffect(() => {
    if (fullIn === undefined || fullIn === state) return
    setFullIn(undefined)
    // The button that opened the full screen may be gone, together with the stub of the tag.
    takeFocus(document.getElementById(timelineId))
  }, [fullIn, state, timelineId])
  const action = (
    <NextAction
      state={bag.state}
      leg={leg}
      booking={booking}
      {...ends}
      isFirst={isFirst}
      onFollow={follow}
      family={isForFamily(bag) ? <ShareJourney order={bag.sharedOrder} look="primary" /> : null}
      reportLate={props.days.wasDue === undefined ? undefined : props.reportLate}
    />
  )
  return (
    <>
      <div className={styles.bag}>
        <LegTag bag={bag} />
        <div id={timelineId} tabIndex={-1} data-unringed>
          <BelowTag bag={bag} />
        </div>
      </div>
      <LegDetails bag={bag} receiver={receiver}>
        {action}
      </LegDetails>
      {fullIn === state && booking.awb !== null ? (
        <FullScreenCode
          awb={booking.awb}
          orderNumber={<OrderNumber orderId={props.orderId} />}
          city={booking.destination.city}
          receiver={booking.receiver}
          onClose={() => setFullIn(undefined)}
        />
      ) : null}
    </>
  )
}

/** Origin and destination of a bag, the branch with its opening hours. */
export function useEnds({ origin, destination }: Booking, leg: Leg, centerCode: string | undefined) {
  const hours = useHoursOf(centerCode)
  return {
    origin: leg.from === 'center' ? { ...origin, hours } : origin,
    destination: leg.to === 'center' ? { ...destination, hours } : destination,
  }
}

/** A late bag shows its timeline. A bag that was just handed over shows the receipt first. */
function shownStateOf(state: TagState, { wasDue }: BagDays, isFollowing: boolean): TagState {
  if (wasDue !== undefined) return 'delayed'
  return state === 'torn' && isFollowing ? 'travelling' : state
}

/** Sharing is the next action while the bag travels. */
function isForFamily(bag: LegBag): bag is LegBag & { readonly sharedOrder: Order } {
  return bag.state === 'travelling' && bag.sharedOrder !== undefined
}

interface LegBag extends Omit<PassLegProps, 'receiver' | 'centerCode'> {
  readonly state: TagState
  readonly before: TagState | undefined
  readonly origin: LocationFacts
  readonly destination: LocationFacts
  /** Shows the barcode on the full screen. */
  readonly onOpen: () => void
}

function LegTag({ bag }: { readonly bag: LegBag }) {
  const { t } = useTranslation('pass')
  const language = useLanguage()
  const { t: ofDays } = useTranslation('bag-days')
  const daysText = useDaysText()
  const { orderId, booking, state, before, isOnThread, onOpen, days } = bag
  const { awb, receiver, destination } = booking
  const { city } = destination
  const weight = useWeight()
  const number = (
    <span>
      <span className="visually-hidden">{t('orderId')} </span>
      <OrderNumber orderId={orderId} />
    </span>
  )
  if (state === 'collected') return <TagBack bag={booking} whose="own" isNew={before !== undefined} />
  if (state === 'cancelled')
    return <OrderTag number={number} city={city} badge={<BagBadge bag={booking} />} isOver />
  const place = withoutCity(placeOf(destination, language), city && cityName(city, language))
  const band = <CityBand city={city} place={<bdi>{place}</bdi>} />
  if (state === 'travelling' || state === 'delayed')
    return (
      <TagFrame thread={isOnThread ? 'small' : undefined}>
        <LuggageTag shape="small" city={city} band={band} />
      </TagFrame>
    )
  return (
    <TagFrame thread={isOnThread ? 'whole' : undefined}>
      <LuggageTag
        state={state === 'torn' ? 'torn' : undefined}
        isNew={before === 'tied'}
        city={city}
        ear={
          <>
            {number}
            <span>{weight}</span>
          </>
        }
        band={band}
        facts={
          receiver || days.transit ? (
            <>
              {receiver ? (
                <TagFact name={t('receiver')}>
                  <bdi>{receiver}</bdi>
                </TagFact>
              ) : null}
              {days.transit ? <TagFact name={ofDays('usually')}>{daysText(days.transit)}</TagFact> : null}
            </>
          ) : null
        }
        stub={awb === null ? <Issuing /> : <TappedCode awb={awb} onOpen={onOpen} />}
      />
    </TagFrame>
  )
}

/** The maximum weight of a bag. The page does not wait for it. */
export function useWeight(): string | undefined {
  const { t } = useTranslation('pass')
  const kg = useQuery(configQuery).data?.maxWeightKg
  return kg === undefined ? undefined : t('weight', { kg })
}

/** The facts below the tag, or in the place of its torn stub. */
function BelowTag({ bag }: { readonly bag: LegBag }) {
  const { state, before, booking, destination, leg, isCancellable, days, now } = bag
  const { t } = useTranslation('tag')
  const titleOf = useArrivalTitle()
  const language = useLanguage()
  const handover = handoverOf(booking.events)
  const refusal = refusalOf(booking)
  const { city } = destination
  if (state === 'torn' && handover !== undefined)
    return (
      <HandoverReceipt event={handover} awb={booking.awb} isNew={before === 'tied'} photo={photoOf(bag)} />
    )
  if (refusal !== undefined) return <NotAccepted refusal={refusal} isCancellable={isCancellable} />
  if (state !== 'travelling' && state !== 'delayed') return null
  const name = city === undefined ? undefined : cityName(city, language)
  const place = name === undefined ? t('noCity') : t(`end.${leg.to}`, { city: name })
  const isLate = days.wasDue !== undefined
  return (
    <div className={styles.timeline}>
      {days.arrives === undefined || isLate ? (
        <Timeline journey={booking} end={place} isLate={isLate}>
          {isLate ? <LateWords /> : null}
        </Timeline>
      ) : (
        <Timeline journey={booking} end={titleOf(days.arrives)} dueOn={days.arrives[1]}>
          <OwnArrival days={days.arrives} now={now} />
        </Timeline>
      )}
    </div>
  )
}

/** The picture of the hand-over. Without an answer of the server there is no picture. */
function photoOf({ orderId, index, booking, isCutOff }: LegBag): ReactNode {
  const { awb, photo, events } = booking
  if (awb === null || photo === undefined || isCutOff) return null
  const agent = handoverOf(events)?.place
  return <HandoverPhoto orderId={orderId} awb={awb} takenAt={photo.takenAt} agent={agent} index={index} />
}

/** Promises a message only to users who get messages. */
function OwnArrival(props: ComponentProps<typeof Arrival>) {
  return <Arrival {...props} isTold={useIsTold()} />
}

interface LegDetailsProps {
  readonly bag: LegBag
  readonly receiver: string | undefined
  /** The next action. */
  readonly children: ReactNode
}

function LegDetails({ bag, receiver, children }: LegDetailsProps) {
  const { state, leg, destination, booking, days, now, lostSar, isCutOff } = bag
  const titleOf = useArrivalTitle()
  const arrival = days.arrives && (
    <>
      <p className={styles.when}>{titleOf(days.arrives)}</p>
      <OwnArrival days={days.arrives} now={now} />
    </>
  )
  const kept = days.keptUntil && <KeptUntil day={days.keptUntil} />
  if (state === 'tied') return <HandOverAt bag={bag}>{children}</HandOverAt>
  return (
    <>
      {state === 'torn' ? (
        <NextSteps leg={leg} destination={destination} receiver={receiver} arrival={arrival} />
      ) : null}
      {state === 'here' ? (
        <WhatToBring leg={leg} destination={destination} receiver={receiver} kept={kept} />
      ) : null}
      {days.wasDue === undefined ? null : <LateHelp lostSar={lostSar} isCutOff={isCutOff} />}
      <div className={styles.more}>
        <LegLinks bag={bag} />
        {children}
        {state === 'collected' ? null : <AllEvents events={booking.events} shown={shownEvents(bag)} />}
      </div>
    </>
  )
}

/** The place of the hand-over, its last day, and the directions. */
function HandOverAt({ bag, children }: { readonly bag: LegBag; readonly children: ReactNode }) {
  const { t } = useTranslation('bag-days')
  const language = useLanguage()
  const { origin, days } = bag
  return (
    <div className={`${styles.more} ${styles.ruled}`}>
      <div className={classes(layout.line, layout.gap3, styles.at)}>
        <Icon name="pin" />
        <div>
          <LocationView location={origin} isBrief />
          {days.handInUntil === undefined ? null : (
            <p>
              <strong>{t('handIn', { days: formatDayInBoth(days.handInUntil, language) })}</strong>
            </p>
          )}
        </div>
      </div>
      {children}
      {bag.another}
    </div>
  )
}

/** The events that the timeline or the receipt shows. */
function shownEvents({ state, booking, days }: LegBag): readonly BookingEvent[] {
  if (state === 'here') return []
  return stepsOf(booking, days.wasDue !== undefined).map(({ event }) => event)
}

/** The links of a bag that travels. */
function LegLinks({ bag }: { readonly bag: LegBag }) {
  const { t } = useTranslation('pass')
  const { state, booking, sharedOrder, onOpen } = bag
  const hasCode = booking.awb !== null && state !== 'here' && state !== 'collected' && isValidBag(booking)
  return (
    <div className={classes(layout.cluster, layout.gap2, styles.links)} data-screen>
      {sharedOrder === undefined || isForFamily(bag) ? null : (
        <ShareJourney order={sharedOrder} look="quiet" />
      )}
      {hasCode ? (
        <Button look="quiet" icon="scan" onClick={onOpen}>
          {t('showBarcode')}
        </Button>
      ) : null}
    </div>
  )
}

/** The whole stub can be tapped. */
function TappedCode({ awb, onOpen }: { readonly awb: string; readonly onOpen: () => void }) {
  const { t } = useTranslation('awb')
  return (
    <>
      <AwbCode awb={awb} />
      <button type="button" className={awbStyles.codeOpen} onClick={onOpen}>
        <Icon name="scan" />
        {t('full.open')}
      </button>
    </>
  )
}

/** A placeholder in the size of the barcode, so that the page does not move when the barcode appears. */
function Issuing() {
  const { t } = useTranslation('payment')
  return (
    <div className={styles.issuing}>
      <GhostCode />
      <p role="status">{t('thankYou.issuing')}</p>
    </div>
  )
}
