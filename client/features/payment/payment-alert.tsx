import type { ReactNode } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Note } from '#client/ui/note.tsx'
import styles from './payment.module.css'

interface AlertProps {
  readonly title?: string
  readonly text: string
  readonly children?: ReactNode
}

export function Alert({ title, text, children }: AlertProps) {
  return (
    <Note tone="error" className={styles.alert} role="alert">
      {title === undefined ? null : <p className={styles.alertTitle}>{title}</p>}
      <p>{text}</p>
      {children}
    </Note>
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
