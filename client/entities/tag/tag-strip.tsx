import type { ReactNode } from 'react'
import { cityClass } from '#client/entities/location/city-block.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import tagStyles from '#client/ui/tag.module.css'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { Cord } from './cord.tsx'
import { SideTag } from './side-tag.tsx'
import styles from './tag-strip.module.css'

interface TagStripProps {
  /** In English, as the partner names it. */
  readonly city: string | undefined
  /** Below the city: the branch. */
  readonly branch: ReactNode
  readonly price: string
}

/** From the thread of the questions above it. */
const curve = { width: 24, height: 38, d: 'M15.75 0C15.75 22 4 18 4 38' }

/** A blank tag on its side, thin: what is chosen so far. */
export function TagStrip({ city, branch, price }: TagStripProps) {
  const { t } = useTranslation('tag')
  const language = useLanguage()
  const code = cityCode(city)
  return (
    <SideTag size="thin">
      <Cord className={styles.cord} {...curve} isLoose />
      <div className={styles.body}>
        {code === undefined ? null : (
          // By itself for each city: its letters roll in.
          <div
            key={code}
            className={classes(tagStyles.band, tagStyles.letters, styles.letters, cityClass(city))}
            aria-hidden="true"
            translate="no"
          >
            {[...code].map((letter, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: letters of one word never move
              <span key={index} className={styles.letter}>
                {letter}
              </span>
            ))}
          </div>
        )}
        <div className={styles.text}>
          <strong>
            <bdi>{city === undefined ? t('noCity') : cityName(city, language)}</bdi>
          </strong>
          {city === undefined ? null : <span>{branch ?? t('noBranch')}</span>}
        </div>
        <strong className={styles.price} translate="no">
          {price}
        </strong>
      </div>
    </SideTag>
  )
}
