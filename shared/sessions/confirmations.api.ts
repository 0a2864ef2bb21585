import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { Time } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './confirmations.operations.ts'
import { ConfirmationChannel, ConfirmationSent, confirmationPurposes } from './confirmations.schemas.ts'
import { CodeAsTyped } from './sessions.schemas.ts'

const feature = 'sessions'
const strict = { additionalProperties: false }

export const askConfirmation = defineOperation({
  ...endpoints.askConfirmation,
  summary: 'Send a code to the present number of the signed-in user, to confirm one request',
  feature,
  body: Type.Object(
    {
      purpose: Type.Enum([...confirmationPurposes], { description: 'The request that the code confirms.' }),
      channel: Type.Optional(ConfirmationChannel),
    },
    strict,
  ),
  response: ConfirmationSent,
  errors: [
    'PHONE_CANNOT_RECEIVE_CODES',
    'PHONE_INVALID',
    'CHANNEL_UNAVAILABLE',
    'CODE_REQUESTED_TOO_SOON',
    'TOO_MANY_CODES',
    'TOO_MANY_EMAIL_CODES',
    'SIGN_IN_BUSY',
    'OTP_UNAVAILABLE',
  ],
})

export const verifyConfirmation = defineOperation({
  ...endpoints.verifyConfirmation,
  summary:
    'Confirm the request that the code was asked for, in the same session and browser: it can be made once, within five minutes. The third wrong code ends the session',
  feature,
  body: Type.Object({ code: CodeAsTyped }, strict),
  response: successOf({ confirmedUntil: Time }),
  errors: ['CODE_INVALID', 'CONFIRMATION_FAILED', 'OTP_UNAVAILABLE'],
})

export const confirmationsOperations = { askConfirmation, verifyConfirmation } as const
