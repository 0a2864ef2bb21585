import type { Endpoint } from '#shared/platform/operation.ts'
import { deskPath } from '#shared/platform/pages.ts'

/** By this cookie a page knows that the browser has, or had, a session of the desk. */
export const deskHereCookie = 'desk-here'
export const deskSignInPath = `${deskPath}/sign-in`
export const deskCallbackPath = `${deskPath}/callback`

export const readDeskSession = {
  method: 'GET',
  path: '/api/desk/me',
  access: 'staff',
} as const satisfies Endpoint

export const signOutOfDesk = {
  method: 'POST',
  path: '/api/desk/sign-out',
  access: 'anyone',
} as const satisfies Endpoint
