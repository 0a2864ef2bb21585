/** DEMO_CONTROL_KEY of the environment; else drawn once for a data folder, given relative to the root. */
export function demoControlKey(dataDir?: string): string

/** Records the data folder of the stack at a port of this machine until the process ends. */
export function recordStack(port: number | string, dataDir?: string): void

/** The data folder of the stack that `npm start` or `npm run dev` of this folder runs at a port. */
export function dataFolderAt(port: number | string): string | undefined
