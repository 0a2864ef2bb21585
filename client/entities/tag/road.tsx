import { type ReactNode, useState } from 'react'
import { type Journey, knownKind, knownReason } from '#client/entities/order/journey.rules.ts'
import { SilenceNote } from '#client/entities/order/silence-note.tsx'
import { formatMoment } from '#client/platform/days.ts'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import knotStyles from '#client/ui/knot.module.css'
import { Note } from '#client/ui/note.tsx'
import textStyles from '#client/ui/text.module.css'
import type { BookingEvent, EventKind } from '#shared/orders/travel.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './road.module.css'
import { type Knot, knotsOf } from './tag.rules.ts'

interface RoadProps {
  readonly journey: Journey
  /** The end of the thread: the branch, the city alone, or the days of arrival. */
  readonly end: string
  /** Below it. */
  readonly children?: ReactNode
  /** Default: of its owner, who is told more. */
  readonly whose?: 'own' | 'shared'
  /** The page says that it is late: no other worry beside that. */
  readonly isLate?: boolean
}

/** The thread below the tag of a bag on its way: a knot for each step, and the end that is to come. */
export function Road({ journey, end, children, whose = 'own', isLate = false }: RoadProps) {
  const { t } = useTranslation('journey')
  const knots = knotsOf(journey, isLate)
  // Only a knot that is tied while the page is open draws its length of thread.
  const [known] = useState(() => new Set(journey.events.map(({ at }) => at)))
  return (
    <>
      <ol className={`${knotStyles.threadList} ${styles.road}`} aria-label={t('title')}>
        {knots.map((knot) => (
          <RoadKnot
            key={`${knot.event.at} ${knot.event.kind}`}
            knot={knot}
            isNew={!known.has(knot.event.at)}
            whose={whose}
          />
        ))}
        <li className={styles.end}>
          <i className={`${knotStyles.knot} ${styles.ring}`} aria-hidden="true" />
          <h2 className={styles.endTitle}>
            <bdi>{end}</bdi>
          </h2>
          {children}
        </li>
      </ol>
      {journey.state === 'EXCEPTION' && whose === 'own' && !isLate ? (
        <Note tone="pending" icon="clock" className={styles.delayed}>
          {t('delayed')}
        </Note>
      ) : null}
      {isLate ? null : <SilenceNote journey={journey} />}
    </>
  )
}

interface RoadKnotProps {
  readonly knot: Knot
  readonly isNew: boolean
  readonly whose: 'own' | 'shared'
}

function RoadKnot({ knot: { event, progress }, isNew, whose }: RoadKnotProps) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  const { kind, at, place } = event
  const known = knownKind(kind)
  const there = place === undefined ? undefined : cityName(inLanguage(place, language), language)
  const isPlaceTitle = kind === 'in-transit' && there !== undefined
  return (
    <li
      data-progress={progress}
      aria-current={progress === 'done' ? undefined : 'step'}
      className={classes(isNew && styles.isNew)}
    >
      <i className={knotStyles.knot} aria-hidden="true" />
      <h2 className={styles.step}>
        {isPlaceTitle ? (
          <bdi>{t('seenIn', { place: there })}</bdi>
        ) : kind === 'handed-over' ? (
          t(`handedOver.${whose}`)
        ) : (
          t(`kind.${known}`)
        )}
      </h2>
      <p className={styles.note}>
        {there === undefined || isPlaceTitle ? null : (
          <span>
            <bdi>{there}</bdi>
            {' · '}
          </span>
        )}
        <time dateTime={at}>{formatMoment(at, language)}</time>
      </p>
      {progress === 'delayed' ? <SlackThread /> : null}
    </li>
  )
}

/** The thread after a knot that is held up. */
function SlackThread() {
  return (
    <svg
      className={styles.slack}
      viewBox="0 0 40 64"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
      data-screen
    >
      <path vectorEffect="non-scaling-stroke" d="M20 0C20 10 8 12 8 22S30 32 30 24 12 22 12 36 28 46 20 64" />
    </svg>
  )
}

/** Everything that was heard of a bag, the newest first. */
export function AllNews({ events }: Pick<Journey, 'events'>) {
  const { t } = useTranslation('journey')
  if (events.length === 0) return null
  return (
    <details data-screen>
      <summary className={textStyles.unfold}>{t('all', { number: events.length })}</summary>
      <ol className={styles.events}>
        {events.toReversed().map((event) => (
          <EventLine key={`${event.at} ${event.kind} ${event.code ?? ''}`} event={event} />
        ))}
      </ol>
    </details>
  )
}

/** The courier's own words for news that have no meaning to us, and what an agent wrote. */
function ownWords(kind: EventKind, { text, code }: BookingEvent): string | undefined {
  if (kind === 'unknown' || kind === 'exception') return text ?? code
  return kind === 'not-accepted' ? text : undefined
}

function EventLine({ event }: { readonly event: BookingEvent }) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  const { kind, at, place, code } = event
  const known = knownKind(kind)
  const own = ownWords(known, event)
  return (
    <li>
      <span>{t(`kind.${known}`)}</span>
      {known === 'not-accepted' ? <span>{t(`reason.${knownReason(code)}`)}</span> : null}
      {own ? <bdi className={styles.own}>{inLanguage(own, language)}</bdi> : null}
      <span className={styles.note}>
        <Moment at={at} />
        {place ? <PlaceName place={place} /> : null}
      </span>
    </li>
  )
}

function Moment({ at }: { readonly at: string }) {
  const language = useLanguage()
  return <time dateTime={at}>{formatDateTime(at, language)}</time>
}

/** A city as the courier names it, or the name of an agent. */
function PlaceName({ place }: { readonly place: string }) {
  const language = useLanguage()
  return (
    <span>
      {' · '}
      <bdi>{cityName(place, language)}</bdi>
    </span>
  )
}
