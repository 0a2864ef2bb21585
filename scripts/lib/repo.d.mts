/** The folder of the repository. */
export const root: string
/** Loads `.env`, if it exists, and returns its path. Variables that are set already are kept. */
export function loadEnvironmentFile(): string | undefined
