import { telHref } from '#client/platform/format.ts'
import { EmailText, PhoneText } from '#client/ui/contact-text.tsx'
import layout from '#client/ui/layout.module.css'
import type { PublicConfig } from '#shared/config/config.api.ts'
import styles from './auth.module.css'

/** Phone and address of the support, one below the other, behind a sentence that ends with a colon. */
export function ContactLinks({ contact }: Pick<PublicConfig, 'contact'>) {
  return (
    <span className={`${layout.stack} ${styles.contacts}`}>
      <a href={telHref(contact.phone)}>
        <PhoneText>{contact.phone}</PhoneText>
      </a>
      <a href={`mailto:${contact.email}`}>
        <EmailText>{contact.email}</EmailText>
      </a>
    </span>
  )
}
