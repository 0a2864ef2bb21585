import type { LanguageCode } from './language.ts'

type Text = Readonly<Record<LanguageCode, string>>

/** The keyword of JSON Schema that refused a field chooses its text; `{{limit}}` is the limit in the schema. */
export const fieldTexts: Readonly<Record<string, Text>> & { readonly other: Text } = {
  required: { ar: 'هذا الحقل مطلوب.', en: 'This field is required.' },
  additionalProperties: { ar: 'حقل غير معروف.', en: 'This field is not known.' },
  type: { ar: 'نوع القيمة غير صحيح.', en: 'The value is of the wrong type.' },
  minLength: {
    ar: 'أقصر من المطلوب: {{limit}} حرفًا على الأقل.',
    en: 'At least {{limit}} characters are needed here.',
  },
  maxLength: {
    ar: 'أطول من المسموح: {{limit}} حرفًا على الأكثر.',
    en: 'Too long: at most {{limit}} characters.',
  },
  'x-readable': {
    ar: 'اكتبه بالكلمات: لا حروف في هذا النص.',
    en: 'Write it in words: this text has no letters.',
  },
  other: { ar: 'القيمة غير مقبولة.', en: 'The value is not accepted.' },
}

/** The count replaces `{n}`; `other` serves every plural form that is not listed. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/**
 * Durations in words, to stand after "in", "بعد" and "منذ": after them Arabic needs the dual in the genitive, which
 * `Intl` lacks.
 */
export const durationForms: Readonly<
  Record<'second' | 'minute' | 'hour' | 'day', Readonly<Record<LanguageCode, PluralForms>>>
> = {
  second: {
    ar: { one: 'ثانية واحدة', two: 'ثانيتين', few: '{n} ثوانٍ', other: '{n} ثانية' },
    en: { one: '1 second', other: '{n} seconds' },
  },
  minute: {
    ar: { one: 'دقيقة واحدة', two: 'دقيقتين', few: '{n} دقائق', other: '{n} دقيقة' },
    en: { one: '1 minute', other: '{n} minutes' },
  },
  hour: {
    ar: { one: 'ساعة واحدة', two: 'ساعتين', few: '{n} ساعات', other: '{n} ساعة' },
    en: { one: '1 hour', other: '{n} hours' },
  },
  day: {
    ar: { one: 'يوم واحد', two: 'يومين', few: '{n} أيام', many: '{n} يومًا', other: '{n} يوم' },
    en: { one: '1 day', other: '{n} days' },
  },
}
