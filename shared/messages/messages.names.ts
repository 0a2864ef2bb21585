import type { Names } from '#shared/platform/language.ts'
import type { MessageKind } from './messages.schemas.ts'

/** What a message tells, as staff read it in a line. */
export const messageNames: Names<MessageKind> = {
  paid: { ar: 'تم الدفع', en: 'paid' },
  'label-issued': { ar: 'صدرت بوليصة الشحن', en: 'airway bill issued' },
  'handed-over': { ar: 'سُلّمت الحقيبة', en: 'handed over' },
  'at-branch': { ar: 'جاهزة للاستلام', en: 'ready to collect' },
  collected: { ar: 'استُلمت', en: 'collected' },
  refunded: { ar: 'أُعيد المبلغ', en: 'refunded' },
  'refund-failed': { ar: 'تعذّرت إعادة المبلغ', en: 'refund failed' },
  exception: { ar: 'تأخر النقل', en: 'delayed' },
  late: { ar: 'تأخرت عن موعدها', en: 'late' },
  cancelled: { ar: 'أُلغي الطلب', en: 'cancelled' },
  'wrong-amount': { ar: 'أُعيد مبلغ غير مطابق', en: 'wrong amount returned' },
  'receiver-changed': { ar: 'تغيّر المستلم', en: 'receiver changed' },
  'receiver-named': { ar: 'اختيار المستلم', en: 'receiver named' },
  'receiver-at-branch': { ar: 'جاهزة للمستلم', en: 'ready for the receiver' },
  'claim-opened': { ar: 'تسجيل البلاغ', en: 'claim registered' },
  'claim-question': { ar: 'سؤال عن البلاغ', en: 'question on a claim' },
  'claim-answered': { ar: 'رد على البلاغ', en: 'claim answered' },
  'claim-late': { ar: 'تأخر الرد على البلاغ', en: 'answer to a claim late' },
  'claim-closed': { ar: 'إغلاق البلاغ', en: 'claim closed' },
  documents: { ar: 'الفاتورة والباركود', en: 'receipt and barcode' },
  'receiver-changed-letter': { ar: 'تغيّر المستلم، بالبريد', en: 'receiver changed, by e-mail' },
  'number-changed': { ar: 'تغيّر الجوال', en: 'number changed' },
  'email-changed': { ar: 'تغيّر البريد', en: 'address changed' },
  'number-waits': { ar: 'طُلب نقل الحساب إلى جوال آخر', en: 'move to another number asked' },
  'number-waits-letter': {
    ar: 'طُلب نقل الحساب إلى جوال آخر، بالبريد',
    en: 'move to another number asked, by e-mail',
  },
  'number-changed-letter': { ar: 'تغيّر الجوال، بالبريد', en: 'number changed, by e-mail' },
  'email-changed-letter': { ar: 'تغيّر البريد، بالبريد', en: 'address changed, by e-mail' },
  'email-added-letter': { ar: 'إضافة البريد، بالبريد', en: 'address added, by e-mail' },
}
