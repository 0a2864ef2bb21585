import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import { focusFault } from '#client/ui/focus.ts'
import layout from '#client/ui/layout.module.css'
import { typedAwbOf } from './airway-bill.rules.ts'
import styles from './handovers.module.css'

/** Writes the number with spaces between groups of digits, as the label prints it. */
const longestNumber = 24

/** The form for a typed number. It is always there, because a camera may fail and a label may be torn. */
export function NumberForm({ onNumber }: { readonly onNumber: (awb: string) => void }) {
  const { t } = useTranslation('handovers')
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const awb = typedAwbOf(text)
    flushSync(() => setIsWrong(awb === undefined))
    focusFault(form.current)
    if (awb === undefined) return
    setText('')
    onNumber(awb)
  }

  return (
    <form
      ref={form}
      className={`${layout.grid} ${layout.gap2} ${styles.number}`}
      noValidate
      onSubmit={onSubmit}
    >
      <Field label={t('number.label')} error={isWrong ? t('number.error') : undefined}>
        {(control) => (
          <span className={`${layout.cluster} ${layout.gap2}`}>
            <input
              {...control}
              className={`${fieldStyles.input} ${styles.numberInput}`}
              dir="ltr"
              inputMode="numeric"
              autoComplete="off"
              enterKeyHint="go"
              maxLength={longestNumber}
              placeholder={t('number.placeholder')}
              value={text}
              onChange={({ target }) => {
                setText(target.value)
                setIsWrong(false)
              }}
            />
            <Button type="submit">{t('number.check')}</Button>
          </span>
        )}
      </Field>
    </form>
  )
}
