import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, failure, fillText } from '#server/platform/errors.ts'
import { languageOf } from '#server/platform/language.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { Problem } from '#shared/platform/problem.ts'

/** Every failure leaves here: known? worth a log line? what may the caller read? */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof Failure ? error : failureOf(error as FastifyError)
  const cause = known.details.cause ?? (known.row.level === 'error' ? error : undefined)
  request.log[known.row.level]({ code: known.code, ...(cause ? { err: cause } : {}) }, 'request failed')
  return sendProblem(request, reply, known)
}

/** What fails before a route is found, such as an address that cannot be decoded, goes to `frameworkErrors`. */
export function registerErrorGate(app: FastifyInstance): void {
  app.setErrorHandler(answerFailure)
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, known: Failure): FastifyReply {
  const language = languageOf(request)
  const { fields, values, retryAfterSeconds } = known.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const problem: Problem = {
    success: false,
    code: known.code,
    message: fillText(known.row.text[language], values, language),
    requestId: request.id,
    ...(fields ? { fields: fields.map(({ field, text }) => ({ field, message: text[language] })) } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
  return reply.code(known.row.status).header('cache-control', 'no-store').send(problem)
}

/** What the framework throws, in our words. */
function failureOf(error: FastifyError): Failure {
  if (error.validation)
    return failure(platformErrors, 'INVALID_REQUEST', {
      fields: refusedFields(error),
      cause: error.message,
    })
  switch (error.statusCode) {
    case 400:
      return failure(platformErrors, 'INVALID_REQUEST', { cause: error.message })
    // A path that the file server will not walk is answered like one that does not exist.
    case 403:
    case 404:
      return failure(platformErrors, 'NOT_FOUND')
    case 413:
      return failure(platformErrors, 'BODY_TOO_LARGE')
    case 415:
      return failure(platformErrors, 'UNSUPPORTED_MEDIA_TYPE')
    case 503:
      return failure(platformErrors, 'CLOSING', { retryAfterSeconds: 2 })
    default: {
      const isCallersFault =
        error.statusCode !== undefined && error.statusCode > 400 && error.statusCode < 500
      if (isCallersFault) return failure(platformErrors, 'INVALID_REQUEST', { cause: error.message })
      return failure(platformErrors, 'UNEXPECTED', { cause: error })
    }
  }
}

const fieldTexts: Readonly<Record<string, Readonly<Record<LanguageCode, string>>>> = {
  required: { ar: 'هذا الحقل مطلوب.', en: 'This field is required.' },
  additionalProperties: { ar: 'حقل غير معروف.', en: 'This field is not known.' },
  type: { ar: 'نوع القيمة غير صحيح.', en: 'The value is of the wrong type.' },
}
const anyText = { ar: 'القيمة غير مقبولة.', en: 'The value is not accepted.' }

/** One entry per field, the first reason of each. */
function refusedFields(error: FastifyError) {
  const fields = new Map<string, Readonly<Record<LanguageCode, string>>>()
  for (const { instancePath, keyword, params } of error.validation ?? []) {
    const inner = params.missingProperty ?? params.additionalProperty
    const path = [...instancePath.split('/').slice(1), ...(typeof inner === 'string' ? [inner] : [])].join(
      '.',
    )
    const field = path || error.validationContext || 'body'
    if (!fields.has(field)) fields.set(field, fieldTexts[keyword] ?? anyText)
  }
  // A body that may also be absent fails as a whole, too: with a field named, that is noise.
  if (fields.size > 1) fields.delete(error.validationContext ?? 'body')
  return [...fields].map(([field, text]) => ({ field, text }))
}
