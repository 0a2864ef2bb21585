import { Input, type InputRef } from 'antd'
import { type Ref, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#client/platform/i18n.ts'
import { Field } from '#client/ui/field.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { SearchSelect } from '#client/ui/search-select.tsx'
import { type Country, defaultCountry, isCountryFound, listCountries } from './countries.ts'
import { cleanTypedPhone, composePhone } from './phone.rules.ts'

/** The content of the field; `composePhone` turns it into a number. */
export interface TypedPhone {
  readonly country: Country['iso']
  readonly text: string
}

/** The field content for an international number, or an empty field. */
export function typedPhoneOf(phone: string): TypedPhone {
  return { country: composePhone(defaultCountry, phone).country ?? defaultCountry, text: phone }
}

interface PhoneFieldProps {
  /** Id of the number input. */
  id: string
  value: TypedPhone
  onChange: (value: TypedPhone) => void
  error?: string | undefined
  inputRef?: Ref<InputRef>
}

/** Country picker and number, left to right in both languages. */
export function PhoneField({ id, value, onChange, error, inputRef }: PhoneFieldProps) {
  const { t } = useTranslation('sessions')
  const language = useLanguage()
  const countries = useMemo(() => listCountries(language), [language])
  const countryOf = (iso: unknown) => countries.find((country) => country.iso === iso)

  function changeText(typed: string): void {
    const text = cleanTypedPhone(typed)
    // A number typed with a country code selects that country, so that the two cannot contradict each other.
    onChange({ country: composePhone(value.country, text).country ?? value.country, text })
  }

  return (
    <Field id={id} label={t('phone')} error={error}>
      {(control) => (
        <div className="phone-row" dir="ltr">
          <SearchSelect
            id={`${control.id}-country`}
            className="phone-country"
            classNames={{ popup: { root: 'phone-countries' } }}
            aria-label={t('country')}
            value={value.country}
            onChange={(country) => onChange({ ...value, country })}
            options={countries.map((country) => ({ ...country, value: country.iso, label: country.name }))}
            labelRender={({ value: iso }) => <DialCode country={countryOf(iso)} />}
            renderOption={(country) => <CountryOption country={country} />}
            isFound={isCountryFound}
            nothingFound={t('countryNone')}
            popupMatchSelectWidth={false}
          />
          <Input
            {...control}
            ref={inputRef ?? null}
            className="phone-number"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            dir="ltr"
            value={value.text}
            onChange={(event) => changeText(event.target.value)}
            status={error === undefined ? '' : 'error'}
          />
        </div>
      )}
    </Field>
  )
}

function DialCode({ country }: { country: Country | undefined }) {
  return country === undefined ? null : <Ltr>{`+${country.dialCode}`}</Ltr>
}

function CountryOption({ country }: { country: Country }) {
  return (
    <span className="country-option">
      <span>{country.name}</span>
      <DialCode country={country} />
    </span>
  )
}
