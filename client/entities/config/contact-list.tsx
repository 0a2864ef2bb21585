import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { EmailText, PhoneText } from '#client/ui/contact-text.tsx'
import layout from '#client/ui/layout.module.css'
import textStyles from '#client/ui/text.module.css'
import { brand } from '#shared/platform/brand.ts'
import styles from './contact-list.module.css'
import { useConfig } from './use-config.ts'

/** How to reach us. Its texts are those of the frame, because the footer shows it. */
export function ContactList() {
  const { t } = useTranslation('ui')
  const language = useLanguage()
  const { email, phone, address } = useConfig()?.contact ?? brand.contact
  return (
    <dl className={`${layout.grid} ${textStyles.pairs} ${styles.contact}`}>
      <div>
        <dt>{t('contact.email')}</dt>
        <dd data-config="email">
          <EmailText>{email}</EmailText>
        </dd>
      </div>
      <div>
        <dt>{t('contact.phone')}</dt>
        <dd data-config="phone">
          <PhoneText>{phone}</PhoneText>
        </dd>
      </div>
      <div>
        <dt>{t('contact.address')}</dt>
        <dd data-config="address">{address[language]}</dd>
      </div>
    </dl>
  )
}
