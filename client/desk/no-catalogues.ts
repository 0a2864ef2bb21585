import type { Catalogues } from '#client/platform/catalogues.ts'

/** Replaces client/platform/catalogues.ts, because the desk uses no texts of the app. */
export const catalogues: Catalogues = {}
