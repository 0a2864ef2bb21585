import type { Names } from '#shared/platform/language.ts'
import type { ClaimKind, ClaimOutcome } from './claims.schemas.ts'

export const claimKindNames: Names<ClaimKind> = {
  late: { ar: 'تأخرت الحقيبة', en: 'late' },
  lost: { ar: 'ضاعت الحقيبة', en: 'lost' },
  damaged: { ar: 'تضررت الحقيبة', en: 'damaged' },
  missing: { ar: 'نقص في محتواها', en: 'something inside is missing' },
  'wrong-branch': { ar: 'وصلت إلى فرع آخر', en: 'at another branch' },
  other: { ar: 'أمر آخر', en: 'something else' },
}

export const claimOutcomeNames: Names<ClaimOutcome> = {
  delivered: { ar: 'سُلّمت الحقيبة', en: 'delivered' },
  found: { ar: 'عُثر على الحقيبة', en: 'found' },
  compensated: { ar: 'بتعويض', en: 'with compensation' },
  refused: { ar: 'دون تعويض', en: 'without compensation' },
  withdrawn: { ar: 'بطلب صاحبه', en: 'at the owner’s request' },
}
