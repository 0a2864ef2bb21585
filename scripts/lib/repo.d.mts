/** The folder of the repository. */
export const root: string
/** Loads `.env`, if it exists. Variables that are set already are kept. */
export function loadEnvironmentFile(): void
