import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOutage } from '#server/platform/database/outage.ts'
import { Failure, type FailureDetails, failure, fillText } from '#server/platform/errors.ts'
import { languageOf } from '#server/platform/language.ts'
import { waitInWords } from '#server/platform/waiting.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { fieldTexts } from '#shared/platform/platform.texts.ts'
import type { Problem } from '#shared/platform/problem.ts'
import { noteFailure } from './request-log.ts'

export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof Failure ? error : failureOf(error as FastifyError)
  return sendProblem(request, reply, known, known.row.level === 'error' ? error : undefined)
}

/** Fastify passes errors before routing, such as a URL that cannot be decoded, to `frameworkErrors` instead. */
export function registerErrorGate(app: FastifyInstance): void {
  app.setErrorHandler(answerFailure)
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  known: Failure,
  thrown?: unknown,
): FastifyReply {
  noteFailure(request, { code: known.code, level: known.row.level, cause: known.details.cause ?? thrown })
  const language = languageOf(request)
  const { fields, values, retryAfterSeconds, orders, channels, receivedAt, stop } = known.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const problem: Problem = {
    success: false,
    code: known.code,
    message: fillText(known.row.text[language], values, language),
    requestId: request.id,
    ...(fields
      ? {
          fields: fields.map((each) => ({
            field: each.field,
            message: fillText(each.text[language], each.values, language),
          })),
        }
      : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(orders === undefined ? {} : { orders: [...orders] }),
    ...(channels === undefined ? {} : { channels: [...channels] }),
    ...(receivedAt === undefined ? {} : { receivedAt }),
    ...(stop === undefined ? {} : { stop }),
  }
  return reply.code(known.row.status).header('cache-control', 'no-store').send(problem)
}

function failureOf(error: FastifyError): Failure {
  if (error.validation)
    return failure(platformErrors, 'INVALID_REQUEST', {
      fields: refusedFields(error),
      cause: error.message,
    })
  // Fastify sets `statusCode` when the client closes a connection, which is not an outage.
  if (error.statusCode === undefined && isOutage(error))
    return failure(platformErrors, 'STORAGE_UNAVAILABLE', {
      values: { wait: waitInWords(storageRetrySeconds) },
      retryAfterSeconds: storageRetrySeconds,
      cause: error,
    })
  switch (error.statusCode) {
    case 400:
      return failure(platformErrors, 'INVALID_REQUEST', { cause: error.message })
    // @fastify/static refuses some paths by 403; they are answered like an unknown path.
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
      const isClientFault = error.statusCode !== undefined && error.statusCode > 400 && error.statusCode < 500
      if (isClientFault) return failure(platformErrors, 'INVALID_REQUEST', { cause: error.message })
      return failure(platformErrors, 'UNEXPECTED', { cause: error })
    }
  }
}

/** The client waits this long: freeing space on a disk or starting a database takes at least as long. */
const storageRetrySeconds = 5

type RefusedField = NonNullable<FailureDetails['fields']>[number]

function refusalOf(keyword: string, limit: unknown): Omit<RefusedField, 'field'> {
  const isEmpty = keyword === 'minLength' && limit === 1
  return {
    text: fieldTexts[isEmpty ? 'required' : keyword] ?? fieldTexts.other,
    ...(typeof limit === 'number' && { values: { limit } }),
  }
}

function refusedFields(error: FastifyError) {
  const fields = new Map<string, Omit<RefusedField, 'field'>>()
  for (const { instancePath, keyword, params } of error.validation ?? []) {
    const inner = params.missingProperty ?? params.additionalProperty
    const path = [...instancePath.split('/').slice(1), ...(typeof inner === 'string' ? [inner] : [])].join(
      '.',
    )
    const field = path || error.validationContext || 'body'
    if (!fields.has(field)) fields.set(field, refusalOf(keyword, params.limit))
  }
  // The validator also reports an invalid optional body as a whole; a report that names a field is enough.
  if (fields.size > 1) fields.delete(error.validationContext ?? 'body')
  return [...fields].map(([field, refused]) => ({ field, ...refused }))
}
