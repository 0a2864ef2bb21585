import type { Stop, StopKind } from '#shared/platform/stop.ts'

export const usualSentences: Readonly<Record<StopKind, Stop['text']>> = {
  all: {
    ar: 'أوقفنا الحجوزات الجديدة مؤقتًا. يُرجى المحاولة لاحقًا.',
    en: 'New bookings are paused for now. Please try again later.',
  },
  city: {
    ar: 'لا حجوزات جديدة لهذه المدينة حاليًا.',
    en: 'There are no new bookings for this city at the moment.',
  },
  branch: {
    ar: 'هذا الفرع لا يستقبل حجوزات جديدة حاليًا.',
    en: 'This branch takes no new bookings at the moment.',
  },
  agent: {
    ar: 'هذا الوكيل لا يستقبل حجوزات جديدة حاليًا.',
    en: 'This agent takes no new bookings at the moment.',
  },
}
