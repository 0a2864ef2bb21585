import { ConfigError } from './config.ts'

export class StartFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StartFailure'
  }
}

export function startFailureOf(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.message
  if (error instanceof StartFailure) return `The gateway does not start: ${error.message}`
  const { code, port, address } = error as { code?: unknown; port?: unknown; address?: unknown }
  if (code === 'EADDRINUSE')
    return `The gateway does not start: port ${String(port)} of ${String(address)} is in use. PORT names another one.`
  return undefined
}
