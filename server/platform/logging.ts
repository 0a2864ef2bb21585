import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'

const censored = '[redacted]'

/** Whatever they are called in: a header, a cookie, a body, an answer of an outsider. */
const secretKeys =
  /^(?:(?:set-?)?cookie|(?:x-)?authorization|idempotency-?key|pass(?:word|wd)|otp|pin|pan|cvv|.*hmac|.*secret.*|.*token|.*api-?_?key)$/i
const phoneKeys = /phone|mobile|msisdn|^(?:to|from|recipient)$/i
/** Below these a person is described, by us or by an outsider: names, codes and addresses are nobody's business. */
const personalKeys = /^(?:body|user|agent|person|customer|billing_?data)$/i
const privateKeys = /name|e-?mail|address|street|postal/i

/** One-time codes have four digits; the error numbers of providers, which tell one outage from another, have more. */
const isCode = (key: string, value: unknown) =>
  /^(?:otp|sms|verification)?_?code$/i.test(key) && !(Number(value) > 9_999)

const deepest = 8
const longest = 50

/** A copy without secrets of whatever is plain data; requests, errors and the like have serializers. */
function withoutSecrets(value: unknown, isPersonal = false, depth = 0): unknown {
  if (Array.isArray(value))
    return value.slice(0, longest).map((item) => withoutSecrets(item, isPersonal, depth + 1))
  if (!isPlain(value)) return value
  if (depth > deepest) return censored
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null || typeof item === 'boolean') copy[key] = item
    else if (secretKeys.test(key)) copy[key] = censored
    else if (isPersonal && (privateKeys.test(key) || isCode(key, item))) copy[key] = censored
    else if (phoneKeys.test(key) && /^\D*(?:\d\D*){7,}$/.test(String(item)))
      copy[key] = maskedPhone(String(item))
    else copy[key] = withoutSecrets(item, isPersonal || personalKeys.test(key), depth + 1)
  }
  return copy
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * What stands in the middle of a sentence has no key: messages of errors, of drivers, of outsiders. In their order: a
 * query, phones as we, browsers and Saudis write them, an `Authorization`, and a secret beside its name.
 */
const inSentences =
  /\?[\w.[\]-]+=[^\s"\\]*|(?:\+|%2B)[1-9]\d{6,14}|\b(?:00)?9665\d{8}\b|\b05\d{8}\b|\b(?:Basic|Bearer|Token) [\w+/=.-]{8,}|\b(?:client_?secret|secret_?key|api_?key|hmac|token|cookie|authorization|password)\\*"?\s?[:=]\s?\\*"?[\w.+/=-]{6,}/gi

function sentenceWithoutSecrets(line: string): string {
  return line.replace(inSentences, (found) => {
    if (/^(?:\+|%2B|\d)/i.test(found)) return maskedPhone(found)
    if (found.startsWith('?')) return `?${censored}`
    return found.replace(/[\w.+/=-]{6,}$/, censored)
  })
}

/**
 * One line of JSON per event, on stdout unless told otherwise. Redacted here, at the one place all lines pass, and not
 * where they are written.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (line: object) => withoutSecrets({ ...line }) as Record<string, unknown> },
    hooks: { streamWrite: sentenceWithoutSecrets },
    serializers: {
      // The query may hold a client secret or a signature: only the path is logged.
      req: (request: { method: string; url: string; id: string }) => ({
        id: request.id,
        method: request.method,
        path: request.url.split('?')[0],
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      err: (error: Error) => withoutSecrets({ ...pino.stdSerializers.err(error) }),
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The last two digits are enough to talk to a pilgrim about a log line. */
export function maskedPhone(phone: string): string {
  return `${'•'.repeat(Math.max(0, phone.length - 2))}${phone.slice(-2)}`
}

/** What rooms write their lines with. */
export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
