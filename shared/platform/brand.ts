import type { LanguageCode } from './language.ts'

type Text = Readonly<Record<LanguageCode, string>>

/**
 * The name and the texts of the product, which operators replace. The contacts and the link to the app are examples.
 */
export const brand = {
  name: { ar: 'أمتعتي', en: 'Amtiati' },
  tagline: { ar: 'سافر خفيفًا، وأمتعتك تسبقك', en: 'Travel light. Your luggage goes ahead.' },
  description: {
    ar: 'سلّم حقيبتك في مكة أو منى، واستلمها من فرع في مدينة وصولك.',
    en: 'Hand your bag over in Makkah or Mina. Collect it in your arrival city.',
  },
  contact: {
    email: 'care@amtiati.example',
    phone: '+966 920 000 000',
    address: {
      ar: 'حي العزيزية، مكة المكرمة، المملكة العربية السعودية',
      en: 'Al Aziziyah, Makkah, Saudi Arabia',
    },
  },
  /** SELLER_VAT_NUMBER and SELLER_CR_NUMBER replace the example numbers of the seller. */
  purchase: {
    notInTheBag: {
      ar: 'لا تضع فيها نقودًا أو وثائق أو أدوية أو أجهزة أو بطاريات متنقلة، وأبقها معك.',
      en: 'No cash, documents, medicine, electronics or power banks in it: keep them with you.',
    },
    terms: {
      ar: 'بالدفع تقبل شروط النقل والإلغاء.',
      en: 'By paying you accept the terms of carriage and cancelling.',
    },
    provider: { ar: 'Paymob', en: 'Paymob' },
    cards: ['mada', 'Visa', 'Mastercard'],
    seller: { vatNumber: '300000000000003', registrationNumber: '1010000000', isExample: true },
  },
  /** These words of the text `purchase.terms` become a link. */
  termsName: { ar: 'شروط النقل والإلغاء', en: 'terms of carriage and cancelling' },
  /** Invoices of the demo name this seller and are marked as examples. SELLER_NAME configures a real seller. */
  exampleSellerName: {
    ar: 'شركة أمتعتي التجريبية لنقل الأمتعة',
    en: 'Amtiati Example Luggage Transport',
  },
  androidAppUrl: 'https://play.google.com/store/apps/details?id=sa.amtiati.pilgrim',
} as const satisfies Readonly<{
  name: Text
  tagline: Text
  description: Text
  contact: Readonly<{ email: string; phone: string; address: Text }>
  purchase: Readonly<{
    notInTheBag: Text
    terms: Text
    provider: Text
    cards: readonly string[]
    seller: Readonly<{ vatNumber: string; registrationNumber: string; isExample: boolean }>
  }>
  termsName: Text
  exampleSellerName: Text
  androidAppUrl: string
}>
