import { useMemo } from 'react'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { Picker, plainList } from '#client/ui/picker.tsx'
import { type Country, isCountryFound, listCountries } from './countries.ts'

interface CountryListProps {
  readonly value: Country['iso']
  readonly returnTo: () => HTMLElement | null
  readonly onChoose: (country: Country['iso']) => void
  readonly onClose: () => void
}

/** The list of all countries. */
export function CountryList(picker: CountryListProps) {
  const { t } = useTranslation('sessions')
  const language = useLanguage()
  const countries = useMemo(
    () => listCountries(language).map((country) => ({ ...country, value: country.iso, label: country.name })),
    [language],
  )
  return (
    <Picker<(typeof countries)[number]>
      {...picker}
      title={t('country')}
      searchLabel={t('countrySearch')}
      find={(query) =>
        plainList(query === '' ? countries : countries.filter((country) => isCountryFound(country, query)))
      }
      isDense
      parts={({ dialCode }) => ({ end: <Ltr>{`+${dialCode}`}</Ltr> })}
    />
  )
}
