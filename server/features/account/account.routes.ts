import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { implement } from '#server/platform/implement.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/account/account.operations.ts'
import type { AccountService } from './account.service.ts'

/** What the browser of a request holds; whoever keeps sessions knows the names of its cookies. */
export interface AccountBrowser {
  sessionOf(request: FastifyRequest): string | undefined
  /** Takes the cookies back. */
  forget(reply: FastifyReply): void
}

export function accountRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  account: AccountService,
  browser: AccountBrowser,
): void {
  implement(app, scope, operations.exportUser, async ({ caller, request, reply }) => {
    const pieces = account.export(caller.userId, browser.sessionOf(request))
    // Asked for before anything is sent: what fails here is still an answer that says why.
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

  implement(app, scope, operations.deleteUser, async ({ caller, reply }) => {
    await account.deleteUser(caller.userId)
    browser.forget(reply)
    return {}
  })
}
