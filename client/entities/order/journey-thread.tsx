import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import knotStyles from '#client/ui/knot.module.css'
import { Note } from '#client/ui/note.tsx'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './journey.module.css'
import { type Journey, type JourneyStep, knownKind, stepsOf } from './journey.rules.ts'
import { SilenceNote } from './silence-note.tsx'

interface JourneyThreadProps {
  readonly journey: Journey
  /** Of the destination, in English as the partner names it. */
  readonly city: string | undefined
  /** Below the last knot: where the bag is collected. */
  readonly collectAt?: ReactNode
  /** For readers other than the bag's owner. */
  readonly title?: string | undefined
}

/** A bag on its way: the steps as knots of the thread, the time of the last news, and all news. */
export function JourneyThread({ journey, city, collectAt, title }: JourneyThreadProps) {
  const { t } = useTranslation('journey')
  const titleId = useId()
  const { state, lastEventAt, events } = journey
  return (
    <section className={styles.journey} aria-labelledby={titleId} data-screen>
      <h2 className={styles.title} id={titleId}>
        {title ?? t('title')}
      </h2>
      {lastEventAt === null ? null : <LastSeen at={lastEventAt} />}
      <SilenceNote journey={journey} />
      {state === 'EXCEPTION' ? (
        <Note tone="pending" className={styles.delayed}>
          {t('delayed')}
        </Note>
      ) : null}
      <ol className={`${knotStyles.threadList} ${styles.list}`}>
        {stepsOf(journey).map((step) => (
          <Step key={step.name} step={step} city={city}>
            {step.name === 'collected' && step.progress === 'ahead' ? collectAt : null}
          </Step>
        ))}
      </ol>
      {events.length === 0 ? null : (
        <details className={styles.all}>
          <summary>{t('all', { number: events.length })}</summary>
          <ol className={styles.events}>
            {events.toReversed().map((event) => (
              <EventLine key={`${event.at} ${event.kind} ${event.code ?? ''}`} event={event} />
            ))}
          </ol>
        </details>
      )}
    </section>
  )
}

/** When anything was heard of the bag last. */
export function LastSeen({ at }: { readonly at: string }) {
  const { t } = useTranslation('journey')
  return (
    <p className={styles.note}>
      {t('lastSeen')} <Moment at={at} />
    </p>
  )
}

interface StepProps {
  readonly step: JourneyStep
  readonly city: string | undefined
  readonly children: ReactNode
}

function Step({ step: { name, progress, event }, city, children }: StepProps) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  const isAnywhere = name === 'on-the-way' && city === undefined
  const title = isAnywhere
    ? t('step.on-the-way-anywhere')
    : t(`step.${name}`, { city: city === undefined ? '' : cityName(city, language) })
  return (
    <li
      data-progress={progress}
      aria-current={progress === 'current' || progress === 'delayed' ? 'step' : undefined}
    >
      <i className={knotStyles.knot} aria-hidden="true" />
      <h3>{title}</h3>
      {event ? (
        <p className={styles.note}>
          <Moment at={event.at} />
          {event.place ? <PlaceName place={event.place} /> : null}
        </p>
      ) : null}
      {children}
    </li>
  )
}

/** News of the courier that has no meaning to us is shown in the courier's words. */
function EventLine({ event }: { readonly event: BookingEvent }) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  const { kind, at, place, text, code } = event
  const known = knownKind(kind)
  const own = known === 'unknown' || known === 'exception' ? (text ?? code) : undefined
  return (
    <li>
      <span>{t(`kind.${known}`)}</span>
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
    <>
      {' · '}
      <bdi>{cityName(place, language)}</bdi>
    </>
  )
}
