import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { implement } from '#server/platform/implement.ts'
import { languageOf } from '#server/platform/language.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import * as operations from '#shared/sessions/sessions.operations.ts'
import type { Browser, OpenedSession, SentCode, SessionsService } from './sessions.service.ts'

/** What the two cookies of this room are called and how they travel. */
export interface SessionCookies {
  readonly session: string
  readonly binding: string
  readonly secure: boolean
}

/**
 * Cookies under https carry the `__Host-` prefix. On plain http that prefix is refused by browsers, and cookies do
 * not tell ports apart, so the port is part of the name: two demos on one machine keep their sessions apart.
 */
export function sessionCookiesFor(publicUrl: string): SessionCookies {
  const { protocol, port } = new URL(publicUrl)
  const name = (what: string) => (protocol === 'https:' ? `__Host-${what}` : `${what}_${port || '80'}`)
  return { session: name('session'), binding: name('browser'), secure: protocol === 'https:' }
}

/** Longer than any challenge; the cookie only says that it is the same browser. */
const bindingLifeSeconds = 86_400

export function sessionScope(sessions: SessionsService, cookies: SessionCookies): SessionScope {
  return {
    callerOf: (request) => sessions.findCaller(request.cookies[cookies.session]),
    refusal: (reason) => failure(sessionsErrors, reason === 'not-signed-in' ? 'NOT_SIGNED_IN' : 'WRONG_ROLE'),
  }
}

export function sessionsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  sessions: SessionsService,
  cookies: SessionCookies,
): void {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: cookies.secure } as const

  const browserOf = (request: FastifyRequest): Browser => ({
    binding: request.cookies[cookies.binding],
    session: request.cookies[cookies.session],
  })

  const answerSent = (reply: FastifyReply, { binding, expiresInSeconds, resendInSeconds }: SentCode) => {
    reply.setCookie(cookies.binding, binding, { ...attributes, maxAge: bindingLifeSeconds })
    return { expiresInSeconds, resendInSeconds }
  }

  const keepSession = (reply: FastifyReply, session: OpenedSession) => {
    reply.setCookie(cookies.session, session.token, { ...attributes, maxAge: session.lifeMs / 1000 })
  }

  implement(app, scope, operations.requestOtp, async ({ body, request, reply }) =>
    answerSent(reply, await sessions.sendCode('user', body.phone, languageOf(request), browserOf(request))),
  )

  implement(app, scope, operations.verifyOtp, async ({ body, request, reply }) => {
    const { user, session } = await sessions.signInUser(
      { phone: body.phone, code: body.code, name: body.name },
      browserOf(request),
    )
    keepSession(reply, session)
    return { user }
  })

  implement(app, scope, operations.sendAgentOtp, async ({ body, request, reply }) =>
    answerSent(reply, await sessions.sendCode('agent', body.phone, languageOf(request), browserOf(request))),
  )

  implement(app, scope, operations.verifyAgentOtp, async ({ body, request, reply }) => {
    const { agent, session, handle } = await sessions.signInAgent(body, browserOf(request))
    keepSession(reply, session)
    return { agent, token: handle }
  })

  implement(app, scope, operations.readUserSession, async ({ request }) => {
    const caller = await scope.callerOf(request)
    const user = caller?.role === 'user' ? await sessions.findUser(caller.userId) : undefined
    if (!user) throw scope.refusal('not-signed-in')
    return { userId: user.id, name: user.name, phone: user.phone }
  })

  implement(app, scope, operations.readAgentSession, async ({ request }) => {
    const caller = await scope.callerOf(request)
    const agent = caller?.role === 'agent' ? await sessions.findAgent(caller.agentId) : undefined
    if (!agent) throw scope.refusal('not-signed-in')
    return { agentId: agent.id, name: agent.name, phone: agent.phone }
  })

  implement(app, scope, operations.logout, async ({ request, reply }) => {
    await sessions.logOut(request.cookies[cookies.session])
    reply.clearCookie(cookies.session, attributes)
    return {}
  })
}
