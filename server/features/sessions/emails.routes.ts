import type { FastifyInstance } from 'fastify'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import * as operations from '#shared/sessions/emails.operations.ts'
import type { EmailsService } from './emails.service.ts'
import { signInCookies } from './sessions.routes.ts'
import type { SessionCookies } from './sessions.service.ts'

export function emailsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  emails: EmailsService,
  cookies: SessionCookies,
): void {
  const { browserOf, bind, setSessionCookies } = signInCookies(scope, cookies)

  registerOperation(app, scope, operations.addEmail, async ({ body, principal, request, reply }) =>
    bind(reply, await emails.sendCode(principal.userId, body.email, languageOf(request), browserOf(request))),
  )

  registerOperation(app, scope, operations.verifyEmail, async ({ body, principal, request }) => ({
    user: await emails.verify(principal.userId, body.code, browserOf(request)),
  }))

  registerOperation(app, scope, operations.removeEmail, async ({ principal, request }) => ({
    user: await emails.remove(principal.userId, browserOf(request)),
  }))

  registerOperation(app, scope, operations.stopEmail, async ({ body }) => {
    await emails.stop(body.token)
    return {}
  })

  registerOperation(app, scope, operations.recoverAccount, async ({ body, request, reply }) => {
    const sent = await emails.recover(body, languageOf(request), browserOf(request))
    const { expiresInSeconds, resendInSeconds } = bind(reply, sent)
    return { expiresInSeconds, resendInSeconds }
  })

  registerOperation(app, scope, operations.verifyRecovery, async ({ body, request, reply }) => {
    const { user, session, device } = await emails.verifyRecovery(body, browserOf(request))
    setSessionCookies(reply, session, device)
    return { user }
  })
}
