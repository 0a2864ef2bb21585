import type { RefObject } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import { emailMaxLength } from '#shared/sessions/email-address.ts'

interface EmailFieldProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly value: string
  readonly onChange: (typed: string) => void
  readonly error: string | undefined
  readonly hint: string
}

/** Left to right in both languages. */
export function EmailField({ inputRef, value, onChange, error, hint }: EmailFieldProps) {
  const { t } = useTranslation('emails')
  return (
    <Field label={t('email')} error={error} hint={hint}>
      {(control) => (
        <input
          {...control}
          ref={inputRef}
          className={fieldStyles.input}
          type="email"
          inputMode="email"
          autoComplete="email"
          dir="ltr"
          maxLength={emailMaxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
