import { inLanguage } from '#shared/platform/bilingual.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

interface Address {
  readonly address?: string | undefined
  readonly addressAR?: string | undefined
  readonly addressEN?: string | undefined
}

/** The partner's `address` serves a language that has no address of its own (spec §3). */
export function addressOf(
  { address, addressAR, addressEN }: Address,
  language: LanguageCode,
): string | undefined {
  const own = language === 'ar' ? addressAR : addressEN
  return own || (address ? inLanguage(address, language) : undefined)
}
