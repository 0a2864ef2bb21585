import { loadTexts, type TextKey } from '#server/platform/texts.ts'
import ar from './locales/ar.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }

/** By law, invoices are in Arabic (VAT regulation, article 53). */
export interface Bilingual {
  readonly ar: string
  readonly en: string
}

type BilingualValues = Readonly<Record<string, string | number | Bilingual>>

const textsIn = loadTexts('receipts', { ar, en })

export function both(key: TextKey<typeof en>, values: BilingualValues = {}): Bilingual {
  const textIn = (language: keyof Bilingual) => textsIn(language)(key, valuesIn(language, values))
  return { ar: textIn('ar'), en: textIn('en') }
}

const valuesIn = (language: keyof Bilingual, values: BilingualValues) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? value[language] : value,
    ]),
  )

export const inOneLine = ({ ar, en }: Bilingual): string => `${ar} · ${en}`
