import styles from './partner-text.module.css'

interface PartnerTextProps {
  readonly text: string
}

/** What a person passes on to the shipping partner, whose language is English. */
export function PartnerText({ text }: PartnerTextProps) {
  return (
    <p lang="en" dir="ltr" className={styles.text}>
      {text}
    </p>
  )
}
