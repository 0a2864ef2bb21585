import { cookieName } from './cookie-name.ts'

/** The build makes one HTML document of a page for each role. */
export const documentRoles = ['visitor', 'user', 'agent'] as const

export type DocumentRole = (typeof documentRoles)[number]

/**
 * The gateway chooses the HTML document by this cookie, which gives no rights: a forged cookie only shows other links.
 */
export const roleCookieName = (publicUrl: string): string => cookieName(publicUrl, 'role')

export const documentFile = (page: string, language: string, role: DocumentRole): string =>
  `${page}.${language}.${role}.html`
