import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './staff.operations.ts'
import { StaffSession } from './staff.schemas.ts'

const feature = 'desk'

export const readDeskSession = defineOperation({
  ...endpoints.readDeskSession,
  summary: 'The signed-in person of the desk, and until when',
  feature,
  isQuiet: true,
  isRoutine: true,
  response: successOf({ staff: StaffSession }),
})

export const signOutOfDesk = defineOperation({
  ...endpoints.signOutOfDesk,
  summary: 'End the desk’s session, and name the page that ends the one at the identity provider',
  feature,
  body: NoBody,
  response: successOf({
    endSessionUrl: Type.Union([Type.String(), Type.Null()], {
      description: 'Null without a session, and where the provider has no such page or does not answer.',
    }),
  }),
})

export const endDeskSessions = defineOperation({
  method: 'POST',
  path: '/api/desk/back-channel-logout',
  summary: 'The identity provider ends the desk sessions that its log-out token names',
  feature,
  access: 'provider',
  consumes: ['application/x-www-form-urlencoded'],
  body: Type.Object({
    logout_token: Type.String({
      minLength: 1,
      maxLength: 16_000,
      description: 'OpenID Connect Back-Channel Logout 1.0; signed by the provider.',
    }),
  }),
  response: successOf({}),
  errors: ['LOGOUT_TOKEN_REFUSED', 'IDENTITY_UNAVAILABLE'],
})

export const deskOperations = { readDeskSession, signOutOfDesk, endDeskSessions } as const
