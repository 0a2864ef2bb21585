import type { LanguageCode } from './language.ts'

type Text = Readonly<Record<LanguageCode, string>>

/**
 * Name, texts and contacts of the product: an operator changes them here. Contacts and app link are demo values.
 */
export const brand = {
  name: { ar: 'أمتعتي', en: 'Amtiati' },
  tagline: { ar: 'سافر خفيفًا، وأمتعتك تسبقك', en: 'Travel light. Your luggage goes ahead.' },
  description: {
    ar: 'ننقل أمتعة الحجاج من مكة ومنى إلى أقرب فرع لشريك الشحن في أي مدينة بالمملكة.',
    en: 'We carry pilgrims’ luggage from Makkah and Mina to a shipping partner’s branch in any city of the Kingdom.',
  },
  contact: {
    email: 'care@amtiati.example',
    phone: '+966 920 000 000',
    address: {
      ar: 'حي العزيزية، مكة المكرمة، المملكة العربية السعودية',
      en: 'Al Aziziyah, Makkah, Saudi Arabia',
    },
  },
  androidAppUrl: 'https://play.google.com/store/apps/details?id=sa.amtiati.pilgrim',
} as const satisfies Readonly<{
  name: Text
  tagline: Text
  description: Text
  contact: Readonly<{ email: string; phone: string; address: Text }>
  androidAppUrl: string
}>
