import type { Visit } from '#shared/passes/visits.rules.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

interface PassTexts {
  readonly to: string
  /** In place of a city that is not known. */
  readonly bag: string
  readonly order: string
  readonly place: string
}

export const passTexts: Readonly<Record<LanguageCode, PassTexts>> = {
  ar: { to: 'إلى', bag: 'حقيبتك', order: 'رقم الطلب', place: 'الاستلام من' },
  en: { to: 'To', bag: 'Your bag', order: 'Order', place: 'Collect it at' },
}

interface VisitTexts {
  /** `city`: empty where it is not known. */
  readonly summary: (city: string) => string
  readonly bring: (awb: string) => string
}

export const visitTexts: Readonly<Record<LanguageCode, Readonly<Record<Visit['purpose'], VisitTexts>>>> = {
  ar: {
    'hand-over': {
      summary: (city) => `تسليم حقيبتك${city && ` في فرع ${city}`}`,
      bring: (awb) => `أحضر الحقيبة والباركود. بوليصة الشحن: ${awb}`,
    },
    collection: {
      summary: (city) => `استلام حقيبتك${city && ` من فرع ${city}`}`,
      bring: (awb) => `أحضر الباركود وهويتك. بوليصة الشحن: ${awb}`,
    },
  },
  en: {
    'hand-over': {
      summary: (city) => `Hand over your bag${city && ` at the branch in ${city}`}`,
      bring: (awb) => `Bring the bag and the barcode. Airway bill: ${awb}`,
    },
    collection: {
      summary: (city) => `Collect your bag${city && ` at the branch in ${city}`}`,
      bring: (awb) => `Bring the barcode and your ID. Airway bill: ${awb}`,
    },
  },
}

/** The event lasts as long as the branch is open. */
export const openHours: Readonly<Record<LanguageCode, string>> = {
  ar: 'هذا وقت عمل الفرع كما نعرفه اليوم، وليس موعدًا محجوزًا.',
  en: 'These are the hours of the branch as we know them today. Nothing is reserved.',
}
