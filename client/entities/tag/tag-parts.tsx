import type { ReactNode } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import layout from '#client/ui/layout.module.css'
import textStyles from '#client/ui/text.module.css'
import { cityCode } from '#shared/platform/city-codes.ts'
import styles from './tag-parts.module.css'

interface BandProps {
  /** In English, as the partner names it. Undefined: not chosen yet. */
  readonly city: string | undefined
  /** Its name in the language on screen. */
  readonly name: string | undefined
  /** Below the city: the branch. */
  readonly place?: ReactNode
}

/** `CityBand` (city-band.tsx) reads the name. */
export function Band({ city, name, place }: BandProps) {
  const { t } = useTranslation('awb')
  return (
    <div className={styles.destination}>
      <p className={styles.to}>{t('pass.to')}</p>
      <p className={styles.city}>
        <bdi>{name ?? t('pass.noCity')}</bdi>
      </p>
      <CityLetters city={city} />
      {place ? <p className={styles.place}>{place}</p> : null}
    </div>
  )
}

/** The three letters of a city. Its name stands beside them, so they are hidden from screen readers. */
export function CityLetters({ city }: { readonly city: string | undefined }) {
  const code = cityCode(city)
  return code === undefined ? null : (
    <span className={styles.letters} aria-hidden="true" translate="no">
      {code}
    </span>
  )
}

/** First line of a `stub`: the name of the city, and where the bag is. */
export function StubHead({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <header className={`${layout.split} ${layout.gap2} ${styles.head}`} id={id}>
      {children}
    </header>
  )
}

/** A name and its value on a tag. */
export function TagFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={`${layout.split} ${styles.fact}`}>
      <dt className={textStyles.quiet}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
