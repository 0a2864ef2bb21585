import { inLanguage } from '#shared/platform/bilingual.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

interface Address {
  readonly address?: string | undefined
  readonly addressAR?: string | undefined
  readonly addressEN?: string | undefined
}

/** The address without a language is used when a language has no address (spec §3). */
export function addressOf(
  { address, addressAR, addressEN }: Address,
  language: LanguageCode,
): string | undefined {
  const own = language === 'ar' ? addressAR : addressEN
  return own || (address ? inLanguage(address, language) : undefined)
}
