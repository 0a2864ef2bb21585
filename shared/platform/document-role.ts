import { cookieName } from './cookie-name.ts'

/** For whom a document of the build is made: its header, footer and links fit this person. */
export const documentRoles = ['visitor', 'user', 'agent'] as const

export type DocumentRole = (typeof documentRoles)[number]

/**
 * The cookie by which the gateway chooses the document. It is set and cleared with the session, and grants nothing: whoever
 * changes it gets other links.
 */
export const roleCookieName = (publicUrl: string): string => cookieName(publicUrl, 'role')

/** The name of the document of a page in the build; the page `app` stands for all addresses without a page. */
export const documentFile = (page: string, language: string, role: DocumentRole): string =>
  `${page}.${language}.${role}.html`
