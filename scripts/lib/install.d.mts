export function ensureInstalled(): Promise<void>
export function installPackages(command: string, args: readonly string[], everyMs?: number): Promise<void>
export function nodeNotice(version: string): string | undefined
