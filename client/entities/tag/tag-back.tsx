import { useId } from 'react'
import { handoverOf } from '#client/entities/order/journey.rules.ts'
import { formatHijriYear, formatSpan } from '#client/platform/days.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { Ear } from '#client/ui/tag-ear.tsx'
import { TentPattern, tentRow } from '#client/ui/tents.tsx'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './tag.module.css'

export interface Traveller {
  readonly origin: { readonly city?: string | undefined }
  readonly destination: { readonly city?: string | undefined }
  readonly events: readonly BookingEvent[]
}

export interface BackTexts {
  readonly code: string | undefined
  readonly year: string | undefined
  /** In two lines. */
  readonly say: string
  readonly fromTo: string | undefined
  readonly span: string | undefined
}

/** What the back of a tag says, in the language on screen. */
export function useBackTexts({ origin, destination, events }: Traveller, whose: 'own' | 'shared'): BackTexts {
  const { t } = useTranslation('tag')
  const language = useLanguage()
  // What came before, such as a refusal, was no part of the way.
  const first = handoverOf(events) ?? events[0]
  const last = events.findLast(({ kind }) => kind === 'collected') ?? events.at(-1)
  const year = last && formatHijriYear(last.at, language)
  const [from, to] = [origin.city, destination.city].map((city) => city && cityName(city, language))
  return {
    code: cityCode(destination.city),
    year: year === undefined ? undefined : t('back.year', { year }),
    say: t(`back.say.${whose}`),
    fromTo: from && to ? t('back.fromTo', { from, to }) : undefined,
    span: first && last ? formatSpan(first.at, last.at, language) : undefined,
  }
}

interface TagBackProps {
  readonly bag: Traveller
  readonly whose: 'own' | 'shared'
  /** The loop closes and the tag turns over while one watches. */
  readonly isNew: boolean
}

/** The tag of a collected bag, turned over: the thread is closed to a loop. */
export function TagBack({ bag, whose, isNew }: TagBackProps) {
  const { code, year, say, fromTo, span } = useBackTexts(bag, whose)
  const fresh = isNew && styles.isNew
  return (
    <div className={styles.back}>
      <svg
        className={classes(styles.loop, fresh)}
        viewBox="0 0 220 150"
        aria-hidden="true"
        focusable="false"
        data-screen
      >
        <path
          pathLength="1"
          d="M110 136C110 100 34 96 34 54C34 20 70 4 110 4S186 20 186 54C186 96 110 100 110 136"
        />
        {/* Its end on the ear: saffron on saffron would vanish. */}
        <path
          stroke="var(--saffron-thread)"
          d="M110 136C110 130 108 125 104 120M110 136C110 130 112 125 116 120"
        />
        {loopKnots.map(([x, y]) => (
          <g key={x} transform={`translate(${x} ${y}) rotate(45)`}>
            <rect x="-7" y="-7" width="14" height="14" rx="3" fill="var(--thread)" />
            <path d="M-6 6 6-6" stroke="var(--page)" />
          </g>
        ))}
      </svg>
      <div className={classes(styles.card, fresh)}>
        <Ear
          shape="upright"
          start={<span aria-hidden="true">{code}</span>}
          end={year}
          className={styles.cardEar}
        />
        <div className={styles.face}>
          <p className={styles.say}>{say}</p>
          <p className={styles.fromTo}>
            {fromTo ? <span>{fromTo}</span> : null}
            {fromTo && span ? <br /> : null}
            {span ? <span>{span}</span> : null}
          </p>
          <Camp />
        </div>
      </div>
    </div>
  )
}

/** Hand-over, way, branch, collection. */
const loopKnots = [
  [35, 62],
  [66, 12],
  [154, 12],
  [185, 62],
] as const

/** The tents of Mina, nearer and nearer, in the haze. */
const rows = [
  [0, 42, 0.3],
  [-9, 51, 0.42],
  [2, 63, 0.6],
  [-16, 80, 0.86],
  [6, 102, 1.2],
] as const

function Camp() {
  const id = useId()
  return (
    <svg viewBox="0 0 300 96" aria-hidden="true" focusable="false" data-screen>
      <defs>
        <TentPattern id={`${id}t`} />
        <linearGradient id={`${id}h`} x2="0" y2="1">
          <stop stopColor="var(--back)" stopOpacity="0" />
          <stop offset=".55" stopColor="var(--ridge-far)" stopOpacity=".55" />
          <stop offset="1" stopColor="var(--haze)" />
        </linearGradient>
      </defs>
      <path fill={`url(#${id}h)`} d="M0 0h300v40H0z" />
      <path fill="var(--camp)" d="M0 38h300v58H0z" />
      <g fill={`url(#${id}t)`}>
        {rows.map(([x, y, scale]) => (
          <path key={y} transform={`translate(${x} ${y}) scale(${scale})`} d={tentRow} />
        ))}
      </g>
    </svg>
  )
}
