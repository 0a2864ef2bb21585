import { useTranslation } from 'react-i18next'
import { classes } from '#client/ui/classes.ts'
import { shownStatus, toneOf } from './order-card.rules.ts'
import styles from './status-badge.module.css'

/** The status of an order. Its text carries the meaning; green is good, yellow waits. */
export function StatusBadge({ status }: { readonly status: string }) {
  const { t } = useTranslation('order-card')
  return (
    <span className={classes(styles.statusBadge, styles[toneOf(status)])}>
      <bdi>{t(`status.${shownStatus(status)}`)}</bdi>
    </span>
  )
}
