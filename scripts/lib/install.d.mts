export function ensureInstalled(): Promise<void>
export function installPackages(command: string, args: readonly string[]): Promise<void>
export function nodeNotice(version: string): string | undefined
