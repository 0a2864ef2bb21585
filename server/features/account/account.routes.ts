import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/account/account.operations.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import type { AccountService } from './account.service.ts'

/** Runs the work of a request that its user has confirmed. @throws Failure CONFIRMATION_REQUIRED, and of `work` */
export type Confirmed = <T>(
  purpose: ConfirmationPurpose,
  request: FastifyRequest,
  work: () => Promise<T>,
) => Promise<T>

export function accountRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  account: AccountService,
  confirmed: Confirmed,
): void {
  registerOperation(app, scope, operations.exportUser, async ({ principal, request, reply }) => {
    const pieces = account.export(principal.userId, scope.tokenOf(request))
    // The first piece is read before the response begins, so that a failure can still be answered with its own status.
    const first = await confirmed('export', request, () => pieces.next())
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

  registerOperation(app, scope, operations.deleteUser, async ({ principal, query, request, reply }) => {
    await confirmed('deletion', request, () =>
      account.deleteUser(principal.userId, { forfeits: query.forfeit !== undefined }),
    )
    scope.clearCookies(reply)
    return {}
  })
}
