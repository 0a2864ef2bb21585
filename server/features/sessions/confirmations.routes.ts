import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isFailure } from '#server/platform/errors.ts'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { cookieAttributes } from '#shared/platform/cookie-name.ts'
import * as operations from '#shared/sessions/confirmations.operations.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import type { ConfirmationsService } from './confirmations.service.ts'
import { signInCookies } from './sessions.routes.ts'
import type { SessionCookies } from './sessions.service.ts'

/** Runs the work of a request that its user has confirmed. @throws Failure CONFIRMATION_REQUIRED, and of `work` */
export function confirmedBy(
  scope: SessionScope,
  confirmations: ConfirmationsService,
  cookies: SessionCookies,
) {
  const { browserOf } = signInCookies(scope, cookies)
  return <T>(purpose: ConfirmationPurpose, request: FastifyRequest, work: () => Promise<T>): Promise<T> =>
    confirmations.using(purpose, browserOf(request), work)
}

export function confirmationsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  confirmations: ConfirmationsService,
  cookies: SessionCookies,
): void {
  const { browserOf, bind } = signInCookies(scope, cookies)

  registerOperation(app, scope, operations.askConfirmation, async ({ body, principal, request, reply }) => {
    const sent = await confirmations.ask(principal.userId, body, languageOf(request), browserOf(request))
    const { channels, ...rest } = bind(reply, sent)
    return { ...rest, channels: [...channels] }
  })

  registerOperation(
    app,
    scope,
    operations.verifyConfirmation,
    async ({ body, principal, request, reply }) => {
      try {
        return await confirmations.verify(principal.userId, body.code, browserOf(request))
      } catch (error) {
        if (isFailure(error, 'CONFIRMATION_FAILED'))
          reply.clearCookie(cookies.session, cookieAttributes(cookies))
        throw error
      }
    },
  )
}
