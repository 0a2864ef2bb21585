import { handoverOf } from '#client/entities/order/journey.rules.ts'
import { formatHijriSpan, formatHijriYear } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { Tents } from '#client/ui/tents.tsx'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { LuggageTag } from './luggage-tag.tsx'
import styles from './tag-back.module.css'
import { drawLoop, Shapes } from './tag-drawing.tsx'

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

/** The texts on the back of a tag, in the language on screen. */
export function useBackTexts({ origin, destination, events }: Traveller, whose: 'own' | 'shared'): BackTexts {
  const { t } = useTranslation('tag')
  const language = useLanguage()
  // Events before the hand-over, such as a refusal, are not part of the journey.
  const first = handoverOf(events) ?? events[0]
  const last = events.findLast(({ kind }) => kind === 'collected') ?? events.at(-1)
  const year = last && formatHijriYear(last.at, language)
  const [from, to] = [origin.city, destination.city].map((city) => city && cityName(city, language))
  return {
    code: cityCode(destination.city),
    year: year === undefined ? undefined : t('back.year', { year }),
    say: t(`back.say.${whose}`),
    fromTo: from && to ? t('back.fromTo', { from, to }) : undefined,
    span: first && last ? formatHijriSpan(first.at, last.at, language) : undefined,
  }
}

interface TagBackProps {
  readonly bag: Traveller
  readonly whose: 'own' | 'shared'
  /** The bag was collected while the page is open: the loop closes, and the tag turns over. */
  readonly isNew: boolean
}

/** The tag of a collected bag, turned over: the thread is closed to a loop. */
export function TagBack({ bag, whose, isNew }: TagBackProps) {
  const { code, year, say, fromTo, span } = useBackTexts(bag, whose)
  return (
    <div className={styles.back}>
      <svg
        className={classes(styles.loop, isNew && styles.isNew)}
        viewBox="0 0 220 136"
        aria-hidden="true"
        focusable="false"
        data-screen
      >
        <Shapes of={drawLoop('--page')} />
      </svg>
      <LuggageTag
        state="collected"
        isNew={isNew}
        ear={
          <>
            <span aria-hidden="true">{code}</span>
            <span>{year}</span>
          </>
        }
        band={
          <>
            <p className={styles.say}>{say}</p>
            <p className={styles.fromTo}>
              {fromTo ? <span>{fromTo}</span> : null}
              {fromTo && span ? <br /> : null}
              {span ? <span>{span}</span> : null}
            </p>
            <Tents />
          </>
        }
      />
    </div>
  )
}
