import { telHref } from '#client/platform/format.ts'
import { EmailText, PhoneText } from '#client/ui/contact-text.tsx'
import type { PublicConfig } from '#shared/config/config.api.ts'

/** Phone and address of the support, behind a sentence that ends with a colon. */
export function ContactLinks({ contact }: Pick<PublicConfig, 'contact'>) {
  return (
    <>
      <a href={telHref(contact.phone)}>
        <PhoneText>{contact.phone}</PhoneText>
      </a>{' '}
      <a href={`mailto:${contact.email}`}>
        <EmailText>{contact.email}</EmailText>
      </a>
    </>
  )
}
