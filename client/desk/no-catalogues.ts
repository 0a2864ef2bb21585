import type { Catalogues } from '#client/platform/catalogues.ts'

/** In place of client/platform/catalogues.ts: the desk has no text of the app. */
export const catalogues: Catalogues = {}
