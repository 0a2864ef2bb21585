import type { ApprovalAct } from '#shared/platform/desk-words.ts'
import type { Names } from '#shared/platform/language.ts'

export const approvalActNames: Names<ApprovalAct> = {
  refund: { ar: 'إعادة المبلغ', en: 'refund' },
  'write-off': { ar: 'شطب الإعادة', en: 'write-off of a refund' },
  reissue: { ar: 'إصدار البوليصة مرة أخرى', en: 'another airway bill' },
  cancel: { ar: 'إلغاء الطلب المدفوع', en: 'cancellation of a paid order' },
  receiver: { ar: 'تغيير المستلم', en: 'receiver' },
  compensation: { ar: 'التعويض', en: 'compensation' },
  number: { ar: 'تغيير رقم الجوال', en: 'another mobile number' },
  'end-sessions': { ar: 'إنهاء جلسات الجميع', en: 'sessions of everyone' },
}
