/** The folder of the repository. */
export const root: string
/** DEMO_CONTROL_KEY of gateway and simulator, unless the environment sets another. */
export const demoControlKey: string
/** Loads `.env`, if it exists, and returns its path. Variables that are set already are kept. */
export function loadEnvironmentFile(): string | undefined
/** Environment of a program that keeps its compiled modules, with their types stripped, for the next start. */
export const compileCache: { readonly NODE_COMPILE_CACHE: string }
