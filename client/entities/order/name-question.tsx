import type { RefObject } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import styles from './name-question.module.css'

interface NameQuestionProps {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly name: string
  readonly onWhole: () => void
}

/** Asks whether a name that is too short for a label is the whole name. */
export function NameQuestion({ ref, name, onWhole }: NameQuestionProps) {
  const { t } = useTranslation('receiver')
  return (
    <Note tone="pending" ref={ref} tabIndex={-1} className={`${layout.stack} ${styles.name}`}>
      <p>{t('short', { name })}</p>
      <Button onClick={onWhole}>{t('whole')}</Button>
    </Note>
  )
}
