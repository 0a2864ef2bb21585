import { useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { showToast } from '#client/ui/toast.tsx'
import type { TypedPhone } from './phone-field.tsx'
import { loadPhoneNumbers, usePhoneNumbers } from './phone-numbers.state.ts'

/**
 * The international number of what is in the field. `number` and `numberOf` are undefined until the library of phone
 * numbers is loaded; `loadNumber` waits for it.
 */
export function usePhoneNumber(typed: TypedPhone) {
  const { t } = useTranslation('platform')
  const [isLoading, setIsLoading] = useState(false)
  const numbers = usePhoneNumbers()
  const numberOf = ({ country, text }: TypedPhone) => numbers?.composePhone(country, text).phone

  /** Undefined, with a message on screen, when the library cannot be loaded. */
  async function loadNumber(): Promise<string | undefined> {
    setIsLoading(true)
    try {
      return (await loadPhoneNumbers()).composePhone(typed.country, typed.text).phone
    } catch {
      showToast(t('unreachable'))
      return undefined
    } finally {
      setIsLoading(false)
    }
  }

  return { number: numberOf(typed), numberOf, loadNumber, isLoading }
}
