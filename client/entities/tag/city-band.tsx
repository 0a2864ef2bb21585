import type { ReactNode } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import styles from './luggage-tag.module.css'
import { CityLetters } from './luggage-tag.tsx'

interface CityBandProps {
  /** In English, as the partner names it. Undefined: not chosen yet. */
  readonly city: string | undefined
  /** Its name in the language on screen. The caller reads it: with the names of all cities the sign-in would be larger. */
  readonly name: string | undefined
  /** Below the city: the branch. */
  readonly place?: ReactNode
}

/** Destination of a bag with its letters. */
export function CityBand({ city, name, place }: CityBandProps) {
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
