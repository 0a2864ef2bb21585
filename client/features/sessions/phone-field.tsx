import { useEffectEvent, useLayoutEffect } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import layout from '#client/ui/layout.module.css'
import type { Country } from './countries.ts'
import { defaultCountry } from './country-names.ts'
import { CountryPicker } from './country-picker.tsx'
import styles from './phone-field.module.css'
import { usePhoneNumbers } from './phone-numbers.state.ts'
import { cleanTypedPhone } from './phone-text.rules.ts'

/** The content of the field; `composePhone` turns it into a number. */
export interface TypedPhone {
  readonly country: Country['iso']
  readonly text: string
}

/** The field content for an international number, which also selects its country. Without a number the field is empty. */
export function typedPhoneOf(phone: string): TypedPhone {
  return { country: defaultCountry.iso, text: phone }
}

interface PhoneFieldProps {
  /** Id of the number input. */
  id: string
  value: TypedPhone
  onChange: (value: TypedPhone) => void
  error?: string | undefined
  hint?: string | undefined
  /** The form starts with this field: it gets the focus (ui/focus.ts). */
  isStart?: boolean
}

/** Country picker and number, left to right in both languages. */
export function PhoneField({ id, value, onChange, error, hint, isStart }: PhoneFieldProps) {
  const { t } = useTranslation('sessions')
  const numbers = usePhoneNumbers()

  function changeText(typed: string): void {
    const text = cleanTypedPhone(typed)
    // A number typed with a country code selects that country, so that the two cannot contradict each other.
    const country = numbers?.composePhone(value.country, text).country ?? value.country
    if (text !== value.text || country !== value.country) onChange({ country, text })
  }

  /** Once the user has left the field, only the picker shows the country's code. */
  function leaveCode(): void {
    const typed = numbers?.withoutCode(value.text)
    if (typed === undefined) changeText(value.text)
    else onChange(typed)
  }

  const takeShown = useEffectEvent(() => {
    if (document.activeElement?.id === id) changeText(value.text)
    else leaveCode()
  })
  // The number may have been typed before the library was loaded, or on an earlier page: read it now.
  useLayoutEffect(() => {
    if (numbers !== undefined) takeShown()
  }, [numbers])

  return (
    <Field id={id} label={t('phone')} error={error} {...(hint === undefined ? {} : { hint })}>
      {(control) => (
        // Left to right in both languages: the country's code stands before the number.
        <div className={`${layout.cluster} ${layout.gap2}`} dir="ltr">
          <CountryPicker
            id={`${control.id}-country`}
            value={value.country}
            onChange={(country) => onChange({ ...value, country })}
          />
          <input
            {...control}
            data-start={isStart || undefined}
            className={`${fieldStyles.input} ${styles.number}`}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            dir="ltr"
            value={value.text}
            onChange={(event) => changeText(event.target.value)}
            onBlur={leaveCode}
          />
        </div>
      )}
    </Field>
  )
}
