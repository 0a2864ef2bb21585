import type { ComponentProps } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { TextField } from '#client/ui/form.tsx'
import { emailMaxLength } from '#shared/sessions/email-address.ts'

interface EmailFieldProps {
  readonly form: ComponentProps<typeof TextField<'email'>>['form']
  readonly hint: string
}

/** Left to right in both languages. */
export function EmailField({ form, hint }: EmailFieldProps) {
  const { t } = useTranslation('emails')
  return (
    <TextField
      form={form}
      name="email"
      label={t('email')}
      hint={hint}
      type="email"
      inputMode="email"
      autoComplete="email"
      dir="ltr"
      maxLength={emailMaxLength}
    />
  )
}
