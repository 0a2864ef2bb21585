import { useState } from 'react'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { showToast } from '#client/ui/toast.tsx'
import type { Country } from './countries.ts'
import { countryName, defaultCountry } from './country-names.ts'
import styles from './country-picker.module.css'
import { loadPhoneNumbers, usePhoneNumbers } from './phone-numbers.state.ts'

// The list and its sheet load later, with their styles.

interface CountryPickerProps {
  readonly id: string
  readonly value: Country['iso']
  readonly onChange: (country: Country['iso']) => void
}

/** A button with the country's code; it opens the list of all countries, with a search. */
export function CountryPicker({ id, value, onChange }: CountryPickerProps) {
  const { t } = useTranslation(['sessions', 'platform'])
  const language = useLanguage()
  const numbers = usePhoneNumbers()
  const [isOpen, setIsOpen] = useState(false)
  // Until the library of phone numbers is loaded, no other country can be chosen.
  const dialCode = numbers?.getCountryCallingCode(value) ?? defaultCountry.dialCode
  const code = `${value} +${dialCode}`
  const name = value === defaultCountry.iso ? t('defaultCountry') : countryName(value, language)

  async function open(): Promise<void> {
    try {
      await loadPhoneNumbers()
      setIsOpen(true)
    } catch {
      showToast(t('platform:unreachable'))
    }
  }

  return (
    <>
      <button
        id={id}
        type="button"
        className={classes(layout.line, layout.gap2, fieldStyles.input, styles.button)}
        aria-haspopup="dialog"
        // The label contains the visible text, which users of voice control say.
        aria-label={t('countryNamed', { name, code })}
        onClick={() => void open()}
      >
        <span aria-hidden="true">
          <Ltr>{code}</Ltr>
        </span>
        <Icon name="chevron" />
      </button>
      {isOpen && numbers !== undefined ? (
        <numbers.CountryList
          value={value}
          returnTo={() => document.getElementById(id)}
          onChoose={(country) => {
            setIsOpen(false)
            onChange(country)
          }}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  )
}
