/** The folder of the repository. */
export const root: string
/** Loads `.env`, if it exists, and returns its path. Variables that are set already are kept. */
export function loadEnvironmentFile(): string | undefined
/** Environment of gateway and simulator: where compiled modules are kept, and how memory is shared by threads. */
export const programEnv: { readonly NODE_COMPILE_CACHE: string; readonly MALLOC_ARENA_MAX: string }
/** Arguments of `node` for gateway and simulator. */
export const programFlags: readonly string[]
/** Arguments of `node` for a process that ends with its parent. */
export const leashed: readonly string[]
