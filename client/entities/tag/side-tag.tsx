import type { ReactNode } from 'react'
import { cityClass } from '#client/entities/location/city-block.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import tagStyles from '#client/ui/tag.module.css'
import { Ear } from '#client/ui/tag-ear.tsx'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './side-tag.module.css'

interface SideTagProps {
  readonly size: 'small' | 'thin'
  /** The thread comes through the eyelet and goes on below. */
  readonly isHanging?: boolean | undefined
  readonly children: ReactNode
}

/** A tag on its side: its ear, and what lies beside it. */
export function SideTag({ size, isHanging = false, children }: SideTagProps) {
  return (
    <div className={classes(styles.side, styles[size])}>
      <Ear shape="lying" className={classes(styles.ear, isHanging && styles.isHanging)} />
      {children}
    </div>
  )
}

interface SmallTagProps extends Pick<SideTagProps, 'isHanging'> {
  /** In English, as the partner names it. */
  readonly city: string | undefined
  /** Below the city: the branch. */
  readonly branch?: ReactNode
}

/** The tag in small: ear, city and letters. */
export function SmallTag({ city, branch, isHanging }: SmallTagProps) {
  const { t } = useTranslation('tag')
  const language = useLanguage()
  return (
    <SideTag size="small" isHanging={isHanging}>
      <div className={classes(tagStyles.band, styles.band, cityClass(city))}>
        <div>
          <strong className={styles.city}>
            <bdi>{city === undefined ? t('noCity') : cityName(city, language)}</bdi>
          </strong>
          {branch ? <span className={styles.branch}>{branch}</span> : null}
        </div>
        <span className={`${tagStyles.letters} ${styles.letters}`} aria-hidden="true">
          {cityCode(city)}
        </span>
      </div>
    </SideTag>
  )
}
