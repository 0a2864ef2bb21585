import { type ReactNode, useState } from 'react'
import { type Journey, knownKind, knownReason } from '#client/entities/order/journey.rules.ts'
import { SilenceNote } from '#client/entities/order/silence-note.tsx'
import { formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import knotStyles from '#client/ui/knot.module.css'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import textStyles from '#client/ui/text.module.css'
import type { BookingEvent, EventKind } from '#shared/orders/travel.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { Day } from '#shared/platform/promises.rules.ts'
import { type Step, stepsOf } from './tag.rules.ts'
import styles from './timeline.module.css'

interface TimelineProps {
  readonly journey: Journey
  /** Text of the last step, which is still to come: the branch, the city alone, or the days of arrival. */
  readonly end: string
  /** Content below that text. */
  readonly children?: ReactNode
  /** The last day on which the bag usually arrives. */
  readonly dueOn?: Day | undefined
  /** A step that is still to come, before the last one. */
  readonly ahead?: { readonly title: string; readonly text: string } | undefined
  /** Default: shown to the owner of the bag, with more notes. */
  readonly whose?: 'own' | 'shared'
  /** The page says that the bag is late; no other warning is shown. */
  readonly isLate?: boolean
}

/** The steps of a bag on its way, below its tag. */
export function Timeline({
  journey,
  end,
  children,
  dueOn,
  ahead,
  whose = 'own',
  isLate = false,
}: TimelineProps) {
  const { t } = useTranslation('journey')
  // Only a step that arrives while the page is open is drawn with a motion.
  const [known] = useState(() => new Set(journey.events.map(({ at }) => at)))
  const steps = stepsOf(journey, isLate)
  return (
    <>
      <ol
        className={classes(knotStyles.threadList, styles.timeline, steps.length === 0 && styles.waiting)}
        aria-label={t('title')}
      >
        {steps.map((step) => (
          <TimelineStep
            key={`${step.event.at} ${step.event.kind}`}
            step={step}
            isNew={!known.has(step.event.at)}
          />
        ))}
        {ahead === undefined ? null : (
          <li>
            <i className={knotStyles.knot} aria-hidden="true" />
            <h2 className={styles.step}>{ahead.title}</h2>
            <p className={textStyles.hint}>{ahead.text}</p>
          </li>
        )}
        <li className={styles.end}>
          <i className={`${knotStyles.knot} ${styles.ring}`} aria-hidden="true" />
          <h2>
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
      {isLate ? null : <SilenceNote journey={journey} dueOn={dueOn} />}
    </>
  )
}

interface TimelineStepProps {
  readonly step: Step
  readonly isNew: boolean
}

function TimelineStep({ step: { event, progress }, isNew }: TimelineStepProps) {
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
        {isPlaceTitle ? <bdi>{t('seenIn', { place: there })}</bdi> : t(`kind.${known}`)}
      </h2>
      <p className={textStyles.hint}>
        {there === undefined || isPlaceTitle ? null : (
          <span>
            <bdi>{there}</bdi>
            {' · '}
          </span>
        )}
        <time dateTime={at}>{formatMoment(at, language)}</time>
      </p>
      {progress === 'delayed' ? <DelayMark /> : null}
    </li>
  )
}

/** A loose loop of the thread below a delayed step. */
function DelayMark() {
  return (
    <svg
      className={styles.delayMark}
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

interface AllEventsProps extends Pick<Journey, 'events'> {
  /** The events that the page shows already. */
  readonly shown: readonly BookingEvent[]
}

/** All events of a bag, the newest first; nothing where the page shows each of them. */
export function AllEvents({ events, shown }: AllEventsProps) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  const hasMore = events.some((event) => !shown.includes(event) || rawTextOf(knownKind(event.kind), event))
  if (!hasMore) return null
  return (
    <details data-screen>
      <summary className={textStyles.unfold}>{t('all', { number: events.length })}</summary>
      <ol className={`${layout.grid} ${layout.gap3} ${styles.events}`}>
        {events.toReversed().map((event) => {
          const { kind, at, place, code } = event
          const known = knownKind(kind)
          const text = rawTextOf(known, event)
          return (
            <li key={`${at} ${kind} ${code ?? ''}`} className={layout.grid}>
              <span>{t(`kind.${known}`)}</span>
              {known === 'not-accepted' ? <span>{t(`reason.${knownReason(code)}`)}</span> : null}
              {text ? <bdi className={styles.rawText}>{inLanguage(text, language)}</bdi> : null}
              <span className={textStyles.hint}>
                <time dateTime={at}>{formatMoment(at, language)}</time>
                {place ? (
                  <span>
                    {' · '}
                    {/* A city in the words of the courier, or the name of an agent. */}
                    <bdi>{cityName(place, language)}</bdi>
                  </span>
                ) : null}
              </span>
            </li>
          )
        })}
      </ol>
    </details>
  )
}

/** The courier's own words for an event without a text of ours, and the words that an agent wrote. */
function rawTextOf(kind: EventKind, { text, code }: BookingEvent): string | undefined {
  if (kind === 'unknown' || kind === 'exception') return text ?? code
  return kind === 'not-accepted' ? text : undefined
}
