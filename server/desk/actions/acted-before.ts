import { dayAndTime } from '#server/platform/times.ts'
import { auditActionNames } from '#shared/desk/audit/audit.names.ts'

export const atOnceMs = 10 * 60_000

const decided = {
  asked: { ar: 'طلب الموافقة', en: 'approval asked for' },
  approved: { ar: 'الموافقة', en: 'approved' },
  refused: { ar: 'رفض الطلب', en: 'refused' },
} as const

const names = { ...auditActionNames, ...decided }

export function actedBefore(done: keyof typeof names, who: string, at: number) {
  const { ar, en } = names[done]
  const what = { ar, en: `${en.charAt(0).toLowerCase()}${en.slice(1)}` }
  return { values: { what, who, at: { ar: dayAndTime(at, 'ar').time, en: dayAndTime(at, 'en').time } } }
}
