import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PartnerProblem, ValidationProblem } from '#shared/wire/shipping/shipping.wire.ts'
import type { FieldErrors } from './shipping.rules.ts'

/** Answers errors as the partner does. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status === 400) return reply.code(400).send(validationProblem(request, { $: [String(error)] }))
    return reply.code(status).send(problem(request, status))
  })
}

/** The titles and links to RFC 7231 and 7235 in ASP.NET's problem responses. */
const problems: Record<number, { title: string; section: string }> = {
  401: { title: 'Unauthorized', section: 'rfc7235#section-3.1' },
  404: { title: 'Not Found', section: 'rfc7231#section-6.5.4' },
  413: { title: 'Payload Too Large', section: 'rfc7231#section-6.5.11' },
  415: { title: 'Unsupported Media Type', section: 'rfc7231#section-6.5.13' },
  500: { title: 'An error occurred while processing your request.', section: 'rfc7231#section-6.6.1' },
}

export function problem(request: FastifyRequest, status: number): PartnerProblem {
  const { title, section } = problems[status] ?? { title: 'Error', section: 'rfc7231#section-6' }
  return { type: `https://tools.ietf.org/html/${section}`, title, status, traceId: request.id }
}

export function validationProblem(request: FastifyRequest, errors: FieldErrors): ValidationProblem {
  return {
    type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
    title: 'One or more validation errors occurred.',
    status: 400,
    traceId: request.id,
    errors,
  }
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}
