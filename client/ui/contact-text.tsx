import styles from './contact-text.module.css'
import { Ltr } from './ltr.tsx'

interface ContactTextProps {
  readonly children: string
}

/** A phone number, which is broken only where it is longer than a line: half of it on the next line reads as another number. */
export const PhoneText = ({ children }: ContactTextProps) => (
  <span className={styles.phone}>
    <Ltr>{children}</Ltr>
  </span>
)

/** An e-mail address, which is broken only where it is longer than a line. */
export const EmailText = ({ children }: ContactTextProps) => (
  <span className={styles.email}>
    <Ltr>{children}</Ltr>
  </span>
)
