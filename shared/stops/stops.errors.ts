import { defineErrors, type ErrorRow } from '#shared/platform/problem.ts'

export const stopsErrors = defineErrors({
  SALES_STOPPED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'هذا الحجز غير متاح الآن. {{text}}',
      en: 'This cannot be booked at the moment. {{text}}',
    },
  },
  STOPS_REFUSED: {
    status: 422,
    level: 'info',
    text: {
      ar: 'تعذّر حفظ الإيقاف بهذه البيانات. راجع الحقول المحددة.',
      en: 'Sales cannot be stopped like this. Check the fields named.',
    },
  },
  STOPS_CHANGED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'تغيّرت الإيقافات قبلك ({{who}})، ولم يُنفَّذ طلبك. راجعها ثم أعد المحاولة.',
      en: '{{who}} changed the stops before you. Yours was not done: look at them and try again.',
    },
  },
})

export const stopRefusals = {
  code: {
    ar: 'حدّد رمز الوكيل أو الفرع أو اسم المدينة، ولا شيء لإيقاف الكل.',
    en: 'Name the agent, branch or city; nothing for all.',
  },
  unknown: { ar: 'ليس في قوائم شريك الشحن.', en: 'Not in the lists of the shipping partner.' },
  until: { ar: 'النهاية بعد البداية وبعد الآن.', en: 'It ends after its beginning, and after now.' },
} as const satisfies Readonly<Record<string, ErrorRow['text']>>
