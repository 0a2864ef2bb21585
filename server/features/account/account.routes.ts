import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/account/account.operations.ts'
import type { AccountService } from './account.service.ts'

export function accountRoutes(app: FastifyInstance, scope: SessionScope, account: AccountService): void {
  registerOperation(app, scope, operations.exportUser, async ({ principal, request, reply }) => {
    const pieces = account.export(principal.userId, scope.tokenOf(request))
    // The first piece is read before the response begins, so that a failure can still be answered with its own status.
    const first = await pieces.next()
    async function* all() {
      if (!first.done) yield first.value
      yield* pieces
    }
    return reply
      .type('application/json')
      .header('content-disposition', 'attachment; filename="amtiati-account.json"')
      .header('cache-control', 'no-store')
      .send(Readable.from(all()))
  })

  registerOperation(app, scope, operations.deleteUser, async ({ principal, query, reply }) => {
    await account.deleteUser(principal.userId, { forfeits: query.forfeit !== undefined })
    scope.clearCookies(reply)
    return {}
  })
}
