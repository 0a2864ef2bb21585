import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
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

export function CopyPartnerText({ text }: PartnerTextProps) {
  const { t } = useTranslation('desk')
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard?.writeText(text)
    setIsCopied(true)
  }
  return (
    <Button size="small" onClick={() => void copy()}>
      {t(isCopied ? 'partner.copied' : 'partner.copy')}
    </Button>
  )
}
