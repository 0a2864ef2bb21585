import { classes } from './classes.ts'
import styles from './contact-text.module.css'
import { Ltr } from './ltr.tsx'

interface ContactTextProps {
  readonly children: string
}

const shortPhone = 14

/** A phone number, which is never broken: half of it on the next line reads as another number. */
export const PhoneText = ({ children }: ContactTextProps) => (
  <span className={classes(styles.phone, children.length <= shortPhone && styles.short)}>
    <Ltr>{children}</Ltr>
  </span>
)

const longEmail = 22

/** An e-mail address, which is broken only where it is longer than any line. */
export const EmailText = ({ children }: ContactTextProps) => (
  <span className={classes(styles.email, children.length > longEmail && styles.long)}>
    <Ltr>{children}</Ltr>
  </span>
)
