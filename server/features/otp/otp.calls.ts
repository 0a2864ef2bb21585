import { legacyCall } from '#server/legacy.ts'
import type { OtpService } from './otp.service.ts'

export type { Browser, CodeProof, EmailProof, SentCode, SentEmailCode } from './otp.service.ts'

export const checkCode = legacyCall<OtpService, 'checkCode'>('otp', 'checkCode')
export const checkEmailCode = legacyCall<OtpService, 'checkEmailCode'>('otp', 'checkEmailCode')
export const deleteExpiredCodes = legacyCall<OtpService, 'deleteExpired'>('otp', 'deleteExpired')
export const eraseUserEmails = legacyCall<OtpService, 'eraseUserEmails'>('otp', 'eraseUserEmails')
export const eraseUserPhone = legacyCall<OtpService, 'eraseUserPhone'>('otp', 'eraseUserPhone')
export const exportCodes = legacyCall<OtpService, 'exportCodes'>('otp', 'exportCodes')
export const findSentEmail = legacyCall<OtpService, 'findSentEmail'>('otp', 'findSentEmail')
export const keyOfEmail = legacyCall<OtpService, 'keyOfEmail'>('otp', 'keyOfEmail')
export const keyOfUser = legacyCall<OtpService, 'keyOfUser'>('otp', 'keyOfUser')
export const openPairing = legacyCall<OtpService, 'openPairing'>('otp', 'openPairing')
export const readDelivery = legacyCall<OtpService, 'readDelivery'>('otp', 'readDelivery')
export const readFailures = legacyCall<OtpService, 'readFailures'>('otp', 'readFailures')
export const redeemEmail = legacyCall<OtpService, 'redeemEmail'>('otp', 'redeemEmail')
export const redeemProof = legacyCall<OtpService, 'redeemProof'>('otp', 'redeemProof')
export const sendCode = legacyCall<OtpService, 'sendCode'>('otp', 'sendCode')
export const sendEmailCode = legacyCall<OtpService, 'sendEmailCode'>('otp', 'sendEmailCode')
export const sendEmailCodeBeside = legacyCall<OtpService, 'sendEmailCodeBeside'>('otp', 'sendEmailCodeBeside')
export const showPairing = legacyCall<OtpService, 'showPairing'>('otp', 'showPairing')
export const unlockPhone = legacyCall<OtpService, 'unlock'>('otp', 'unlock')
export const compareConfirmation = legacyCall<OtpService, 'compareConfirmation'>('otp', 'compareConfirmation')
export const countLostAnswer = legacyCall<OtpService, 'countLostAnswer'>('otp', 'countLostAnswer')
export const findConfirmation = legacyCall<OtpService, 'findConfirmation'>('otp', 'findConfirmation')
export const sendConfirmation = legacyCall<OtpService, 'sendConfirmation'>('otp', 'sendConfirmation')
export const spendConfirmation = legacyCall<OtpService, 'spendConfirmation'>('otp', 'spendConfirmation')
