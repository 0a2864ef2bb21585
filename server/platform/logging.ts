import type { FastifyBaseLogger } from 'fastify'
import pino, { type Logger } from 'pino'

/** Redacted here, at the one place all lines pass, and not where they are written. */
const secretPaths = [
  'req.headers.cookie',
  'req.headers.authorization',
  'req.headers["idempotency-key"]',
  'res.headers["set-cookie"]',
  // One-time codes travel in bodies only; `err.code` is what tells one outage from another.
  'body.code',
  '*.body.code',
  '*.token',
  '*.clientSecret',
  '*.client_secret',
  // What a provider answered is logged with its refusal, and may hold what it should not have sent with one.
  '*.body.token',
  '*.body.client_secret',
]

export function createLogger(level: string): Logger {
  return pino({
    level,
    redact: { paths: secretPaths, censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      // The query may hold a client secret or a signature: only the path is logged.
      req: (request: { method: string; url: string; id: string }) => ({
        id: request.id,
        method: request.method,
        path: request.url.split('?')[0],
      }),
      err: pino.stdSerializers.err,
    },
  })
}

/** The last two digits are enough to talk to a pilgrim about a log line. */
export function maskedPhone(phone: string): string {
  return `${'•'.repeat(Math.max(0, phone.length - 2))}${phone.slice(-2)}`
}

/** What rooms write their lines with. */
export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
