import { useTranslation } from '#client/platform/i18n.ts'
import { useAfter } from '#client/platform/time.ts'
import { classes } from './classes.ts'
import layout from './layout.module.css'
import styles from './states.module.css'

/** Shorter waits show no spinner, which would only flash. */
export const spinnerAfterMs = 300

const sizes = {
  inline: styles.loadingInline,
  page: `${layout.stack} ${layout.gap3} ${styles.loadingPage}`,
} as const

const outlines = {
  orders: styles.outlineOrders,
  route: styles.outlineRoute,
} as const

interface LoadingProps {
  /** Default: "Loading…". */
  label?: string | undefined
  /** `inline`: in a line of text. `page`: instead of the content. */
  size?: keyof typeof sizes
  /** An outline in the size of the coming content, in place of the spinner: a list of orders, or a route. */
  outline?: keyof typeof outlines
}

/** Space and live region exist from the start: the layout does not shift, and the label is announced. */
export function Loading({ label, size = 'page', outline }: LoadingProps) {
  const { t } = useTranslation('ui')
  const isLong = useAfter(spinnerAfterMs)
  if (outline !== undefined) {
    return (
      <>
        <div
          className={classes(layout.grid, layout.gap3, styles.outline, outlines[outline])}
          aria-hidden="true"
        />
        <div className="visually-hidden" role="status">
          {isLong ? (label ?? t('loading')) : null}
        </div>
      </>
    )
  }
  return (
    <div className={classes(styles.loading, sizes[size])} data-loading role="status">
      {isLong ? (
        <>
          <span className={styles.spinner} aria-hidden="true" data-screen />
          <span className={size === 'inline' ? 'visually-hidden' : undefined}>{label ?? t('loading')}</span>
        </>
      ) : null}
    </div>
  )
}
