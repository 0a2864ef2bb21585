import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'
import { codeLength } from '#shared/platform/code-length.ts'
import { currentWork, traceIdOf } from './work.ts'

const censored = '[redacted]'

const secretKeys =
  /^(?:(?:set-?)?cookie|(?:x-)?authorization|idempotency-?key|pass(?:word|wd)|(?:otp|sms|verification|custom)_?-?code|otp|pin|pan|cvv|.*hmac|.*secret.*|.*token|.*api-?_?key)$/i
const phoneKeys = /phone|mobile|msisdn|^(?:to|from|recipient)$/i
/** Objects under these keys describe a person: names, codes and addresses in them are redacted. */
const personalKeys = /^(?:body|user|agent|person|customer|billing_?data)$/i
const privateKeys = /name|e-?mail|address|street|postal/i

/** True for a one-time code. A longer number is a provider's error code. */
const isCode = (key: string, value: unknown, isPersonal: boolean) =>
  /^code$/i.test(key) &&
  (typeof value === 'string' ? isPersonal || /^\p{Nd}+$/u.test(value) : isPersonal && !isErrorNumber(value))
const isErrorNumber = (value: unknown) => typeof value === 'number' && value >= 10 ** codeLength

const deepest = 8
const longest = 50

const serialized = new Set(['req', 'res', 'err'])

/** Plain data is logged without its secrets, and any other object (a connection) only by the name of its type. */
function withoutSecrets(value: unknown, isPersonal = false, depth = 0): unknown {
  if (Array.isArray(value))
    return value.slice(0, longest).map((item) => withoutSecrets(item, isPersonal, depth + 1))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (!isPlain(value)) return value instanceof Error ? String(value) : `[${value.constructor.name}]`
  if (depth > deepest) return censored
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value))
    copy[key] = depth === 0 && serialized.has(key) ? item : fieldWithoutSecrets(key, item, isPersonal, depth)
  return copy
}

function fieldWithoutSecrets(key: string, value: unknown, isPersonal: boolean, depth: number): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value
  if (secretKeys.test(key) || (isPersonal && privateKeys.test(key)) || isCode(key, value, isPersonal))
    return censored
  if (phoneKeys.test(key) && typeof value !== 'object' && /^\D*(?:\d\D*){7,}$/.test(String(value)))
    return maskedPhone(String(value))
  return withoutSecrets(value, isPersonal || personalKeys.test(key), depth + 1)
}

/** pino's form of an error is also plain: its prototype inherits `constructor` from Object's prototype. */
const isPlain = (value: object) => Object.getPrototypeOf(value) === null || value.constructor === Object

/** An error of a database driver can contain the connection with its password, or the values of a row (`detail`). */
const isOfDatabase = (error: object) =>
  'client' in error || 'severity' in error || (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR'

function errorWithoutSecrets(error: Error): unknown {
  const written = pino.stdSerializers.err(error)
  if (typeof written !== 'object' || written === null) return written
  const { type, message, stack, code } = written
  return isOfDatabase(error) ? { type, message, stack, code } : withoutSecrets({ ...written }, false, 1)
}

/**
 * Finds a query, a code in a form, the secret of a link, phones (E.164, encoded, Saudi spellings), an `Authorization`,
 * and a secret after its name.
 */
const secretsInText =
  /\?[\w.[\]-]+=[^\s"\\]*|\bcode=\d+|\/(?:track|email-stop)\/[^\s"\\/?#]+|(?:\+|%2B)[1-9]\d{6,14}|\b(?:00)?9665\d{8}\b|\b05\d{8}\b|\b(?:Basic|Bearer|Token) [\w+/=.-]{8,}|\b(?:client_?secret|secret_?key|api_?key|hmac|token|cookie|authorization|password)\\*"?\s?[:=]\s?\\*"?[\w.+/=-]{6,}/gi

/** An e-mail address can be encoded in a URL, and its domain can be in any script. */
const emailInText = /[^\s"\\/<>()[\],;:@=]{1,64}(?:@|%40)[\p{L}\p{N}.-]{1,250}\.\p{L}[\p{L}\p{N}-]+/giu

const mayHoldEmail = (text: string) => text.includes('@') || text.includes('%40')

function textWithoutSecrets(text: string) {
  const withoutEmails = mayHoldEmail(text) ? text.replace(emailInText, censored) : text
  return withoutEmails.replace(secretsInText, (found) => {
    if (/^(?:\+|%2B|\d)/i.test(found)) return maskedPhone(found)
    if (found.startsWith('?')) return `?${censored}`
    if (found.startsWith('/')) return `${found.slice(0, found.lastIndexOf('/'))}/${censored}`
    if (/^code=/i.test(found)) return `code=${censored}`
    return found.replace(/[\w.+/=-]{6,}$/, censored)
  })
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const phoneNumber = /^9665\d{8}$/

const anySecretInText = new RegExp(secretsInText.source, 'i')

function lineWithoutSecrets(line: string) {
  // A log line without escapes contains its secrets unchanged, so one search of the whole line finds them.
  if (!line.includes('\\') && !mayHoldEmail(line) && !anySecretInText.test(line)) return line
  return line.replace(jsonTokens, (token) => {
    if (!token.startsWith('"')) return phoneNumber.test(token) ? `"${maskedPhone(token)}"` : token
    return token.includes('\\')
      ? JSON.stringify(textWithoutSecrets(JSON.parse(token)))
      : textWithoutSecrets(token)
  })
}

/** The query of a URL can contain a client secret or a signature, so it is not logged. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  return textWithoutSecrets(end === -1 ? url : url.slice(0, end))
}

function workOf(logger: Logger): { reqId?: string; traceId?: string } {
  const work = currentWork()
  if (!work) return {}
  const traceId = traceIdOf(work)
  return 'reqId' in logger.bindings() ? { traceId } : { reqId: work.id, traceId }
}

export const isHarmless = (text: string): boolean => textWithoutSecrets(text) === text

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (line: object) => withoutSecrets({ ...line }) as Record<string, unknown> },
    hooks: { streamWrite: lineWithoutSecrets },
    mixin: (_line: object, _level: number, logger: Logger) => workOf(logger),
    serializers: {
      req: (request: { method: string; url: string; id?: string }) => ({
        id: request.id,
        method: request.method,
        path: pathOf(request.url),
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      err: errorWithoutSecrets,
    },
  }
  return pino(options, destination ?? pino.destination({ sync: false }))
}

/** The last two digits are enough to match a log line with a user's report. */
export function maskedPhone(phone: string): string {
  return `${'•'.repeat(Math.max(0, phone.length - 2))}${phone.slice(-2)}`
}

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
