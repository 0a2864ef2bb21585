import type { FastifyInstance } from 'fastify'
import { implement } from '#server/platform/implement.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { reportViolations } from '#shared/reports/reports.operations.ts'
import type { ReportsService } from './reports.service.ts'

/** In a scope of its own: no other route may be sent these content types. */
export async function reportsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  reports: ReportsService,
): Promise<void> {
  await app.register(async (room) => {
    room.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string' },
      room.getDefaultJsonParser('error', 'error'),
    )
    // A browser can do nothing with a refusal, and nobody else is owed a reason.
    room.setErrorHandler((_, __, reply) => {
      reports.receive(undefined)
      return reply.code(204).send()
    })
    implement(room, scope, reportViolations, async ({ body, reply }) => {
      reports.receive(body)
      return reply.code(204).send()
    })
  })
}
