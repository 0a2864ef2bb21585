import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { implement } from '#server/platform/implement.ts'
import { languageOf } from '#server/platform/language.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import * as operations from '#shared/sessions/sessions.operations.ts'
import { deviceLifeMs } from './codes.rules.ts'
import type { Browser, SentCode } from './codes.service.ts'
import type { OpenedSession, SessionsService } from './sessions.service.ts'

/** What the cookies of this room are called and how they travel. */
export interface SessionCookies {
  readonly session: string
  readonly binding: string
  /** Says that its browser has signed in before; it signs nobody in. */
  readonly device: string
  readonly secure: boolean
}

/**
 * Cookies under https carry the `__Host-` prefix. On plain http that prefix is refused by browsers, and cookies do
 * not tell ports apart, so the port is part of the name: two demos on one machine keep their sessions apart.
 */
export function sessionCookiesFor(publicUrl: string): SessionCookies {
  const { protocol, port } = new URL(publicUrl)
  const name = (what: string) => (protocol === 'https:' ? `__Host-${what}` : `${what}_${port || '80'}`)
  return {
    session: name('session'),
    binding: name('browser'),
    device: name('device'),
    secure: protocol === 'https:',
  }
}

/** Longer than any challenge; the cookie only says that it is the same browser. */
const bindingLifeSeconds = 86_400

export function sessionScope(sessions: SessionsService, cookies: SessionCookies): SessionScope {
  return {
    callerOf: (request) => sessions.findCaller(request.cookies[cookies.session]),
    refusal: (reason) => failure(sessionsErrors, reason === 'not-signed-in' ? 'NOT_SIGNED_IN' : 'WRONG_ROLE'),
  }
}

const attributesOf = ({ secure }: SessionCookies) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const

/** Takes every cookie of this room back: the browser is nobody's any more. */
export function forgetBrowser(reply: FastifyReply, cookies: SessionCookies): void {
  for (const name of [cookies.session, cookies.binding, cookies.device])
    reply.clearCookie(name, attributesOf(cookies))
}

export function sessionsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  sessions: SessionsService,
  cookies: SessionCookies,
): void {
  const attributes = attributesOf(cookies)

  const browserOf = (request: FastifyRequest): Browser => ({
    binding: request.cookies[cookies.binding],
    session: request.cookies[cookies.session],
    device: request.cookies[cookies.device],
    address: request.ip,
    userAgent: request.headers['user-agent'],
    log: request.log,
  })

  const answerSent = (reply: FastifyReply, { binding, ...told }: SentCode) => {
    reply.setCookie(cookies.binding, binding, { ...attributes, maxAge: bindingLifeSeconds })
    return told
  }

  const keepSession = (reply: FastifyReply, session: OpenedSession, device: string) => {
    reply.setCookie(cookies.session, session.token, { ...attributes, maxAge: session.lifeMs / 1000 })
    reply.setCookie(cookies.device, device, { ...attributes, maxAge: deviceLifeMs / 1000 })
  }

  implement(app, scope, operations.requestOtp, async ({ body, request, reply }) =>
    answerSent(reply, await sessions.sendCode('user', body.phone, languageOf(request), browserOf(request))),
  )

  implement(app, scope, operations.verifyOtp, async ({ body, request, reply }) => {
    const { user, session, device } = await sessions.signInUser(
      { phone: body.phone, code: body.code, name: body.name },
      browserOf(request),
    )
    keepSession(reply, session, device)
    return { user }
  })

  implement(app, scope, operations.sendAgentOtp, async ({ body, request, reply }) =>
    answerSent(reply, await sessions.sendCode('agent', body.phone, languageOf(request), browserOf(request))),
  )

  implement(app, scope, operations.verifyAgentOtp, async ({ body, request, reply }) => {
    const { agent, session, device, handle } = await sessions.signInAgent(body, browserOf(request))
    keepSession(reply, session, device)
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

  implement(app, scope, operations.logoutEverywhere, async ({ caller, reply }) => {
    await sessions.logOutEverywhere(caller)
    reply.clearCookie(cookies.session, attributes)
    return {}
  })

  implement(app, scope, operations.listSessions, async ({ caller, request }) => ({
    sessions: await sessions.listSessions(caller, request.cookies[cookies.session]),
  }))

  implement(app, scope, operations.endSession, async ({ caller, params, request, reply }) => {
    const isCurrent = await sessions.endSession(caller, params.id, request.cookies[cookies.session])
    if (isCurrent) reply.clearCookie(cookies.session, attributes)
    return {}
  })
}
