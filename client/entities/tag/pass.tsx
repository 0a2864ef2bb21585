import type { ReactNode } from 'react'
import { cityClass } from '#client/entities/location/city-block.tsx'
import { useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import tagStyles from '#client/ui/tag.module.css'
import { Ear } from '#client/ui/tag-ear.tsx'
import { cityCode } from '#shared/platform/city-codes.ts'
import styles from './pass.module.css'

interface PassProps {
  /** At the reading edge of the saffron ear: the order number. */
  readonly start: ReactNode
  /** At its other edge: the weight limit. */
  readonly end?: ReactNode
  /** In English, as the partner names it; nothing is known of the destination without it. */
  readonly city: string | undefined
  /** Its name in the language on screen: without it the names of all cities would come with the sign-in. */
  readonly cityName?: string | undefined
  readonly branch?: ReactNode
  /** `TagFact`s. */
  readonly facts?: ReactNode
  /** `torn`: the stub is gone, and `children` with it. `sewn`: it was torn, and is there again. */
  readonly edge?: 'perforation' | 'torn' | 'sewn'
  /** The seam is sewn while one watches. */
  readonly isNew?: boolean
  /** Below the perforation, on white paper: the barcode, or what stands in its place. */
  readonly children?: ReactNode
}

/** A bag as a luggage tag: ear with its hole, the destination on the city's colour, facts, perforation, barcode. */
export function Pass({ edge = 'perforation', isNew = false, ...rest }: PassProps) {
  const { start, end, city, cityName = city, branch, facts, children } = rest
  const { t } = useTranslation('awb')
  const code = cityCode(city)
  return (
    <div className={styles.pass}>
      <Ear shape="upright" start={start} end={end} className={styles.ear} />
      <div className={classes(tagStyles.band, styles.destination, cityClass(city))}>
        <div>
          <p className={styles.to}>{t('pass.to')}</p>
          <p className={styles.city}>
            <bdi>{cityName ?? t('pass.noCity')}</bdi>
          </p>
        </div>
        {code === undefined ? null : (
          <span className={`${tagStyles.letters} ${styles.cityCode}`} aria-hidden="true" translate="no">
            {code}
          </span>
        )}
        {branch ? <p className={styles.branch}>{branch}</p> : null}
      </div>
      {facts ? <dl className={styles.body}>{facts}</dl> : null}
      {edge === 'torn' ? <div className={styles.torn} data-screen /> : null}
      {children && edge !== 'torn' ? (
        <>
          <div
            className={classes(tagStyles.perforation, edge === 'sewn' && styles.sewn, isNew && styles.isNew)}
            data-screen
          />
          {children}
        </>
      ) : null}
    </div>
  )
}
