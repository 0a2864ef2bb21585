import type { Core } from '#server/core.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import { sendReport } from '#shared/reports/reports.api.ts'
import { receiveReport } from './reports.ts'

/** Only the routes for browser reports accept the content types of such reports. */
export async function reportsRoutes(core: Core, { app, scope }: Routes): Promise<void> {
  await app.register(async (child) => {
    child.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string' },
      child.getDefaultJsonParser('error', 'error'),
    )
    // The answer is always 204, because a browser cannot act on an error.
    child.setErrorHandler((_, request, reply) => {
      receiveReport(core, undefined, request.ip)
      return reply.code(204).send()
    })
    registerOperation(child, scope, sendReport, async ({ body, request, reply }) => {
      receiveReport(core, body, request.ip)
      return reply.code(204).send()
    })
  })
}
