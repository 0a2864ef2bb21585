import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { AnotherBag } from '#client/entities/order/another-bag.tsx'
import { daysEveryMs } from '#client/entities/order/bag-days.tsx'
import { handoverOf, refusalOf } from '#client/entities/order/journey.rules.ts'
import keptStyles from '#client/entities/order/kept-note.module.css'
import { useKeptFacts } from '#client/entities/order/kept-note.tsx'
import type { Kept } from '#client/entities/order/kept-orders.queries.ts'
import { isValidBag } from '#client/entities/order/order-card.rules.ts'
import { RefundNote } from '#client/entities/order/refund-note.tsx'
import { ExampleSentence } from '#client/entities/purchase/terms-sentences.tsx'
import { isUntorn, leadOf, type TagState, tagOfBag } from '#client/entities/tag/tag.rules.ts'
import { type TagNote, TagScreen } from '#client/entities/tag/tag-screen.tsx'
import { formatMomentInBoth, formatWeekdayAndDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useNow } from '#client/platform/time.ts'
import textStyles from '#client/ui/text.module.css'
import { type BagDays, daysOfBags, presentDays } from '#shared/orders/bag-days.rules.ts'
import { type Leg, legsOf } from '#shared/orders/orders.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { Day } from '#shared/platform/promises.rules.ts'
import { KeepIt } from './keep-it.tsx'
import passLegStyles from './pass-leg.module.css'
import { PassLeg } from './pass-leg.tsx'

interface OrderPassProps {
  readonly order: Order
  /** Set when the order is a kept copy and not the server's current answer. */
  readonly kept: Kept | undefined
  /** The journey can be shared here. */
  readonly isShared: boolean
  readonly children: ReactNode
}

/** A paid order: the tag of each of its bags. */
export function OrderPass({ order, kept, isShared, children }: OrderPassProps) {
  const { t } = useTranslation('payment')
  const legs = legsOf(order.type)
  const isReturn = order.bookings.length > 1
  const { days, now } = useBagDays(order, kept)
  // Pilgrims book the other bags of a family before they hand over the first one.
  const another =
    kept === undefined && order.bookings.some((booking) => tagOfBag(booking) === 'tied') ? (
      <div className={passLegStyles.another}>
        <AnotherBag order={order} />
      </div>
    ) : null
  const isDemo = useQuery(configQuery).data?.demo === true
  const late = days.findIndex(({ wasDue }) => wasDue !== undefined)
  const head = useHead(order, kept, {
    index: late < 0 ? leadOf(order.bookings) : late,
    wasDue: days[late]?.wasDue,
  })
  return (
    <TagScreen title={head.title} note={head.note} tag={groundOf(head.state)}>
      {order.bookings.map((booking, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: legs have no id, and their order never changes
        <div key={index} className={passLegStyles.leg}>
          {isReturn ? (
            <h2 className={passLegStyles.title}>
              {t('thankYou.leg', { number: index + 1, total: order.bookings.length })}
            </h2>
          ) : null}
          <PassLeg
            orderId={order.orderId}
            booking={booking}
            index={index}
            centerCode={order.centerCode}
            receiver={order.receiver?.name}
            leg={legs[index] ?? { from: 'agent', to: 'center' }}
            isCutOff={kept !== undefined}
            isFirst={index === (late < 0 ? order.bookings.findIndex(isValidBag) : late)}
            isOnThread={!isReturn}
            sharedOrder={isShared && index === 0 ? order : undefined}
            days={days[index] ?? {}}
            now={now}
            lostSar={order.promises?.lostSar}
            reportLate={kept === undefined ? paths.claimLate(order.orderId, index) : undefined}
            isCancellable={order.cancellable === true}
            another={isReturn ? null : another}
          />
        </div>
      ))}
      {isReturn ? another : null}
      {kept === undefined ? <KeepIt order={order} /> : null}
      {order.refund ? (
        <div role="status">
          <RefundNote refund={order.refund} />
        </div>
      ) : null}
      {order.promises ? (
        <ExampleSentence demo={isDemo} promises={order.promises} className={textStyles.hint} />
      ) : null}
      {children}
    </TagScreen>
  )
}

/** The promised days of each bag that still apply. The page of a bag that becomes late changes without a reload. */
function useBagDays(order: Order, kept: Kept | undefined) {
  const present = useNow(daysEveryMs)
  // The bag may have arrived after the server's last answer: judge a kept order at the time of that answer.
  const now = kept?.knownAt ?? present
  return { now, days: daysOfBags(order, now).map((days) => presentDays(days, present)) }
}

/** The ground of the page: `small` (sand) while the bag travels, `whole` (dune) while the tag is shown whole. */
function groundOf(state: TagState): 'whole' | 'small' {
  return state === 'travelling' || state === 'delayed' ? 'small' : 'whole'
}

interface Head {
  readonly state: TagState
  readonly title: string
  /** Undefined where the title says all of it. */
  readonly note: TagNote | undefined
}

interface Lead extends Pick<BagDays, 'wasDue'> {
  /** The index of the bag in the order. */
  readonly index: number
}

/** The title and note of the page. They describe the late bag, or else the bag that is furthest behind. */
function useHead(order: Order, kept: Kept | undefined, { index, wasDue }: Lead): Head {
  const booking = order.bookings[index]
  const leg = legsOf(order.type)[index] ?? { from: 'agent', to: 'center' }
  const lead = booking && { booking, leg, state: tagOfBag(booking) }
  const texts = useHeadTexts(order, kept, lead)
  const lateTexts = useLateTexts(wasDue)
  const shown = lateTexts ?? texts
  const note: TagNote | undefined =
    kept === undefined ? shown.note : { tone: 'waiting', icon: 'offline', text: <KeptText kept={kept} /> }
  return { state: wasDue === undefined ? (lead?.state ?? 'tied') : 'delayed', title: shown.title, note }
}

interface LedBag {
  readonly booking: Booking
  readonly leg: Leg
  readonly state: TagState
}

const good = { tone: 'good', icon: 'tick' } as const

function useHeadTexts(order: Order, kept: Kept | undefined, lead: LedBag | undefined): Omit<Head, 'state'> {
  const { t } = useTranslation('tag')
  const language = useLanguage()
  const tied = useTiedTexts(order, kept)
  if (lead === undefined) return tied
  const { booking, leg, state } = lead
  const { lastEventAt: at, events, destination } = booking
  const city = destination.city === undefined ? undefined : cityName(destination.city, language)
  switch (state) {
    case 'torn': {
      const agent = handoverOf(events)?.place
      return {
        title:
          agent === undefined
            ? t('title.handedOver')
            : t('title.torn', { agent: inLanguage(agent, language) }),
        note: { ...good, text: t('note.torn') },
      }
    }
    case 'travelling':
      return {
        title: city === undefined ? t('title.travellingAnywhere') : t('title.travelling', { city }),
        note: undefined,
      }
    case 'delayed': {
      const place = events.findLast(({ kind }) => kind === 'exception')?.place
      return {
        title:
          place === undefined
            ? t('title.delayed')
            : t('title.delayedIn', { city: cityName(place, language) }),
        note: {
          tone: 'waiting',
          icon: 'alert',
          text:
            at === null
              ? t('note.travelling')
              : t('note.delayed', { time: formatMomentInBoth(at, language) }),
        },
      }
    }
    case 'here':
      return {
        title: city === undefined ? t('title.hereAnywhere') : t(`title.here.${leg.to}`, { city }),
        note: undefined,
      }
    case 'collected': {
      // A scan after the collection is a mistake: take the time of the collection.
      const collectedAt = events.findLast(({ kind }) => kind === 'collected')?.at ?? at
      return {
        title: t('title.collected'),
        note: collectedAt === null ? undefined : { ...good, text: formatMomentInBoth(collectedAt, language) },
      }
    }
    default:
      return tied
  }
}

/** The title and note for a late bag; `undefined` for any other bag. */
function useLateTexts(wasDue: Day | undefined): Omit<Head, 'state'> | undefined {
  const { t } = useTranslation('late')
  const language = useLanguage()
  if (wasDue === undefined) return undefined
  const line = t('line', { day: formatWeekdayAndDayInBoth(wasDue, language) })
  return { title: t('title'), note: { tone: 'waiting', icon: 'clock', text: line } }
}

/** The title and note for a bag that its owner still has. */
function useTiedTexts({ bookings, type }: Order, kept: Kept | undefined): Omit<Head, 'state'> {
  const { t } = useTranslation('payment')
  const { t: ofPass } = useTranslation('pass')
  const { t: ofTag } = useTranslation('tag')
  const { t: ofJourney } = useTranslation('journey')
  const isIssued = bookings.filter(isValidBag).every(({ awb }) => awb !== null)
  const title = !isIssued
    ? ofPass('issuing')
    : kept !== undefined
      ? ofPass('kept')
      : t(legsOf(type)[0]?.from === 'agent' ? 'thankYou.titles.PAID' : 'thankYou.titles.atBranch')
  // The reason and the next action stand below the tag: above it they would push the barcode off the first screen.
  const isRefused = bookings.some((booking) => refusalOf(booking) !== undefined)
  const trouble = isRefused
    ? ofJourney('refusal.title')
    : bookings.some(isUntorn)
      ? ofTag('note.untorn')
      : undefined
  const note: TagNote =
    trouble === undefined
      ? { ...good, text: ofPass('booked') }
      : { tone: 'waiting', icon: 'alert', text: trouble }
  return { title, note }
}

/** Says that the order is a kept copy and not the server's current answer. */
function KeptText({ kept }: { readonly kept: Kept }) {
  const { t } = useTranslation('pass')
  const { why, time } = useKeptFacts(kept)
  return (
    <span className={why === 'offline' ? keptStyles.told : undefined}>
      <span>{t(`why.${why}`)}</span> <bdi>{t('knownAt', { time })}</bdi>
    </span>
  )
}
