import styles from './partner-text.module.css'

interface PartnerTextProps {
  readonly text: string
}

/** A text in English that the operator sends to the shipping partner. */
export function PartnerText({ text }: PartnerTextProps) {
  return (
    <p lang="en" dir="ltr" className={styles.text}>
      {text}
    </p>
  )
}
