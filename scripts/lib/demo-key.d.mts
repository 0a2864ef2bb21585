/** DEMO_CONTROL_KEY where the environment sets none: drawn once for a data folder, given relative to the root. */
export function demoControlKey(dataDir?: string): string
