import type { Core } from '#server/core.ts'
import * as keys from './emails.rules.ts'

export type { Browser } from './attempts.ts'
export {
  type CodeProof,
  checkCode,
  checkEmailCode,
  type EmailProof,
  findSentEmail,
  redeemEmail,
  redeemProof,
} from './check-codes.ts'
export {
  compareConfirmation,
  countLostAnswer,
  findConfirmation,
  sendConfirmation,
  spendConfirmation,
} from './confirmations.ts'
export { openPairing, showPairing } from './pairings.ts'
export {
  type SentCode,
  type SentEmailCode,
  sendCode,
  sendEmailCode,
  sendEmailCodeBeside,
} from './send-codes.ts'
export {
  deleteExpiredCodes,
  eraseUserEmails,
  eraseUserPhone,
  exportCodes,
  readDelivery,
  readFailures,
  unlockPhone,
} from './stored-codes.ts'

export const keyOfEmail = (_core: Core, email: string) => keys.keyOfEmail(email)
export const keyOfUser = (_core: Core, userId: number) => keys.keyOfUser(userId)
