import { useConfig } from '#client/entities/config/use-config.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useInDocument } from '#client/platform/in-document.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import styles from './connection-note.module.css'

/** Below the top bar of every page while no card is charged. */
export function PaymentTestNote() {
  const { t } = useTranslation('platform')
  const isInDocument = useInDocument()
  if (!(useConfig()?.paymentTest || isInDocument)) return null
  return (
    <p
      className={`${layout.line} ${layout.gap3} ${styles.connectionNote}`}
      hidden={isInDocument}
      data-config="paymentTest"
    >
      <Icon name="alert" />
      {t('paymentTest')}
    </p>
  )
}
