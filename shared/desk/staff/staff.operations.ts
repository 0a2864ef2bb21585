import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { deskPath } from '#shared/platform/pages.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { StaffSession } from './staff.schemas.ts'

const feature = 'desk'

/** The cookie shows pages that there is, or was, a session. `cookieName` of shared/platform spells its name. */
export const deskHereCookie = 'desk-here'

export const deskSignInPath = `${deskPath}/sign-in`
export const deskCallbackPath = `${deskPath}/callback`

export const readDeskSession = defineOperation({
  method: 'GET',
  path: '/api/desk/me',
  summary: 'The signed-in person of the desk, and until when',
  feature,
  access: 'staff',
  isQuiet: true,
  isRoutine: true,
  response: successOf({ staff: StaffSession }),
})

export const signOutOfDesk = defineOperation({
  method: 'POST',
  path: '/api/desk/sign-out',
  summary: 'End the desk’s session, and name the page that ends the one at the identity provider',
  feature,
  access: 'anyone',
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
