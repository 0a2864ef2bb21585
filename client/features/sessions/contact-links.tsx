import { telHref } from '#client/platform/format.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { PublicConfig } from '#shared/config/config.operations.ts'
import styles from './auth.module.css'

/** Phone and address of the support, behind a sentence that ends with a colon. */
export function ContactLinks({ contact }: Pick<PublicConfig, 'contact'>) {
  return (
    <>
      <a className={styles.contactPhone} href={telHref(contact.phone)}>
        <Ltr>{contact.phone}</Ltr>
      </a>{' '}
      <a href={`mailto:${contact.email}`}>
        <Ltr>{contact.email}</Ltr>
      </a>
    </>
  )
}
