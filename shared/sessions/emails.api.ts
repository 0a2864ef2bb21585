import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './emails.operations.ts'
import { checkErrors, sendErrors } from './sessions.api.ts'
import {
  CodeAsTyped,
  EmailAsTyped,
  EmailCodeSent,
  EmailStopToken,
  OwnUser,
  PhoneAsTyped,
  User,
} from './sessions.schemas.ts'

const feature = 'sessions'
const strict = { additionalProperties: false }
const emailErrors = ['EMAIL_UNAVAILABLE', 'EMAIL_INVALID'] as const
const emailCheckErrors = ['CODE_INVALID', 'CODE_USED_UP', 'TOO_MANY_EMAIL_CODES', 'EMAIL_LOCKED'] as const

export const addEmail = defineOperation({
  ...endpoints.addEmail,
  summary: 'Send a code to an address, so that its owner can prove it, after a confirmation `email`',
  feature,
  body: Type.Object({ email: EmailAsTyped }, strict),
  response: EmailCodeSent,
  errors: [
    'CONFIRMATION_REQUIRED',
    'EMAIL_REFUSED',
    ...emailErrors,
    'TOO_MANY_EMAIL_CODES',
    'EMAIL_LOCKED',
    'SIGN_IN_BUSY',
    'OTP_UNAVAILABLE',
  ],
})

export const verifyEmail = defineOperation({
  ...endpoints.verifyEmail,
  summary:
    'Prove the address that a code was sent to, in the same browser; it replaces the one before, and moves the account to another number after 24 hours',
  feature,
  body: Type.Object({ code: CodeAsTyped }, strict),
  response: successOf({ user: OwnUser }),
  errors: ['EMAIL_UNAVAILABLE', 'EMAIL_REFUSED', ...emailCheckErrors, 'EMAIL_HAS_ACCOUNT', 'OTP_UNAVAILABLE'],
})

export const removeEmail = defineOperation({
  ...endpoints.removeEmail,
  summary: 'Remove the address of the signed-in user, after a confirmation `email-removal`',
  feature,
  body: NoBody,
  response: successOf({ user: OwnUser }),
  errors: ['CONFIRMATION_REQUIRED'],
})

export const stopEmail = defineOperation({
  ...endpoints.stopEmail,
  summary:
    'With the link of the letter to a new address: the account loses the address, all its sessions end, and it takes no address for 24 hours',
  feature,
  body: Type.Object({ token: EmailStopToken }, strict),
  response: successOf({}),
  errors: ['EMAIL_STOP_ENDED'],
})

const { sent: _, ...recoveryFields } = EmailCodeSent.properties

export const recoverAccount = defineOperation({
  ...endpoints.recoverAccount,
  summary:
    'Send a code to a new number, and one to the address if an account has proven it; the answer does not say whether one has',
  feature,
  body: Type.Object({ email: EmailAsTyped, phone: PhoneAsTyped }, strict),
  response: Type.Object(recoveryFields),
  errors: [...emailErrors, ...sendErrors],
})

export const verifyRecovery = defineOperation({
  ...endpoints.verifyRecovery,
  summary:
    'With both codes, in the same browser: the account gets the new number, and all its other sessions end',
  feature,
  body: Type.Object({ emailCode: CodeAsTyped, phoneCode: CodeAsTyped }, strict),
  response: successOf({ user: User }),
  errors: ['EMAIL_UNAVAILABLE', ...checkErrors, 'TOO_MANY_EMAIL_CODES', 'EMAIL_LOCKED', 'NUMBER_HAS_ACCOUNT'],
})

export const emailsOperations = {
  addEmail,
  verifyEmail,
  removeEmail,
  stopEmail,
  recoverAccount,
  verifyRecovery,
} as const
