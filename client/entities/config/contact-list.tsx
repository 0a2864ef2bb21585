import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { brand } from '#shared/platform/brand.ts'
import styles from './contact-list.module.css'
import { useConfig } from './use-config.ts'

/** How to reach us. Its texts are those of the frame, because the footer shows it. */
export function ContactList() {
  const { t } = useTranslation('ui')
  const language = useLanguage()
  const { email, phone, address } = useConfig()?.contact ?? brand.contact
  return (
    <dl className={styles.contact}>
      <dt>{t('contact.email')}</dt>
      <dd>
        <Ltr>{email}</Ltr>
      </dd>
      <dt>{t('contact.phone')}</dt>
      <dd>
        <Ltr>{phone}</Ltr>
      </dd>
      <dt>{t('contact.address')}</dt>
      <dd>{address[language]}</dd>
    </dl>
  )
}
