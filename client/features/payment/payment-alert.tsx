import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import styles from './payment.module.css'

/** A failure of the payment, with the buttons that lead on. */
export function AlertNote({ children, ...rest }: ComponentProps<'div'>) {
  return (
    <Note tone="error" className={styles.alert} role="alert" {...rest}>
      <div className={classes(layout.stack, layout.gap3, styles.alertText)}>{children}</div>
    </Note>
  )
}

interface AlertProps {
  readonly title?: string
  readonly text: string
  readonly children?: ReactNode
}

export function Alert({ title, text, children }: AlertProps) {
  return (
    <AlertNote>
      {title === undefined ? null : <b>{title}</b>}
      <p>{text}</p>
      {children}
    </AlertNote>
  )
}

/** The checkout page still holds the draft: paying there creates a new order. */
export function Expired() {
  const { t } = useTranslation('payment')
  return (
    <Alert title={t('thankYou.titles.EXPIRED')} text={t('thankYou.expired')}>
      <ButtonLink look="primary" href={paths.checkout}>
        {t('thankYou.pending.bookAgain')}
      </ButtonLink>
    </Alert>
  )
}
