import { cookieName } from './cookie-name.ts'

/** The build makes a document for each role: header, footer and links fit the reader. */
export const documentRoles = ['visitor', 'user', 'agent'] as const

export type DocumentRole = (typeof documentRoles)[number]

/**
 * The gateway chooses the document by this cookie, which is set and cleared with the session. The cookie gives no
 * rights: changing it only changes the links.
 */
export const roleCookieName = (publicUrl: string): string => cookieName(publicUrl, 'role')

/** The file name of a page's document in the build. The document `app` serves all addresses without a page. */
export const documentFile = (page: string, language: string, role: DocumentRole): string =>
  `${page}.${language}.${role}.html`
