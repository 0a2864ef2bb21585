import { Readable } from 'node:stream'
import type { Core } from '#server/core.ts'
import { runConfirmed } from '#server/features/sessions/sessions.routes.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/account/account.api.ts'
import { deleteAccount, exportAccount } from './account.ts'

export function accountRoutes(core: Core, { add, scope }: Routes): void {
  add(operations.exportUser, async ({ principal, request, reply }) => {
    const pieces = exportAccount(core, principal.userId, scope.tokenOf(request))
    // The first piece is read before the response begins, so that a failure can still set the HTTP status.
    const first = await runConfirmed(core, 'export', request, () => pieces.next())
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

  add(operations.deleteUser, async ({ principal, query, request, reply }) => {
    await runConfirmed(core, 'deletion', request, () =>
      deleteAccount(core, principal.userId, { forfeits: query.forfeit !== undefined }),
    )
    scope.clearCookies(reply)
    return {}
  })
}
