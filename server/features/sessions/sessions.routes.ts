import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OtpService, SentCode } from '#server/features/otp/otp.service.ts'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import type { CodeChannel } from '#shared/platform/code-channels.ts'
import { cookieAttributes } from '#shared/platform/cookie-name.ts'
import { isLanguageCode, languageCookie } from '#shared/platform/language.ts'
import { bindingLifeMs, deviceLifeMs } from '#shared/sessions/session-lives.ts'
import * as operations from '#shared/sessions/sessions.operations.ts'
import { acceptedName } from './sessions.rules.ts'
import type { SessionCookies, SessionsService } from './sessions.service.ts'
import type { OpenedSession, SessionBrowser } from './sign-in.service.ts'

/** The browser of a request, and what an answer leaves in it. */
export function signInCookies(scope: SessionScope, cookies: SessionCookies) {
  const attributes = cookieAttributes(cookies)
  return {
    browserOf: (request: FastifyRequest): SessionBrowser => ({
      binding: request.cookies[cookies.binding],
      session: scope.tokenOf(request),
      device: request.cookies[cookies.device],
      address: request.ip,
      userAgent: request.headers['user-agent'],
      language: languageOf(request),
      log: request.log,
    }),

    /** The cookie that the codes of a browser are bound to; returns the rest. */
    bind<T extends object>(reply: FastifyReply, { binding, ...body }: T & { readonly binding: string }) {
      reply.setCookie(cookies.binding, binding, { ...attributes, maxAge: bindingLifeMs / 1000 })
      return body
    },

    setSessionCookies(reply: FastifyReply, session: OpenedSession, device: string): void {
      reply.setCookie(cookies.session, session.token, { ...attributes, maxAge: session.lifeMs / 1000 })
      reply.setCookie(cookies.device, device, { ...attributes, maxAge: deviceLifeMs / 1000 })
    },
  }
}

export function sessionsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  sessions: SessionsService,
  otp: Pick<OtpService, 'sendCode' | 'showPairing' | 'readDelivery'>,
  cookies: SessionCookies,
): void {
  const attributes = cookieAttributes(cookies)
  const { browserOf, bind, setSessionCookies } = signInCookies(scope, cookies)

  const codeRequestOf = (
    request: FastifyRequest,
    { phone, channel }: { phone: string; channel?: CodeChannel },
  ) => ({ phone, channel, language: languageOf(request) })

  const answerSentCode = (reply: FastifyReply, sent: SentCode) => {
    const { channels, ...body } = bind(reply, sent)
    return { ...body, channels: [...channels] }
  }

  const notSignedIn = (probe: '1' | undefined): { success: false } => {
    if (probe === undefined) throw scope.refusal('not-signed-in')
    return { success: false }
  }

  registerOperation(app, scope, operations.requestOtp, async ({ body, request, reply }) => {
    // A name that sign-up would refuse is refused before a code is sent; it is stored at sign-up.
    if (body.name !== undefined) acceptedName(body.name)
    return answerSentCode(
      reply,
      await otp.sendCode({ role: 'user', ...codeRequestOf(request, body) }, browserOf(request)),
    )
  })

  registerOperation(app, scope, operations.readDelivery, async ({ request }) => ({
    state: await otp.readDelivery(browserOf(request)),
  }))

  registerOperation(app, scope, operations.verifyOtp, async ({ body, request, reply }) => {
    const { user, session, device } = await sessions.signInUser(
      { phone: body.phone, code: body.code, name: body.name },
      browserOf(request),
    )
    setSessionCookies(reply, session, device)
    return { user }
  })

  registerOperation(app, scope, operations.sendAgentOtp, async ({ body, request, reply }) =>
    answerSentCode(
      reply,
      await otp.sendCode({ role: 'agent', ...codeRequestOf(request, body) }, browserOf(request)),
    ),
  )

  registerOperation(app, scope, operations.showPairing, async ({ body, request, reply }) =>
    bind(reply, await otp.showPairing(body.phone, browserOf(request))),
  )

  registerOperation(app, scope, operations.verifyAgentOtp, async ({ body, request, reply }) => {
    const { agent, session, device, handle } = await sessions.signInAgent(body, browserOf(request))
    setSessionCookies(reply, session, device)
    return { agent, token: handle }
  })

  registerOperation(
    app,
    scope,
    operations.readUserSession,
    async ({ query, request }) => {
      const chosen = request.cookies[languageCookie.name]
      const language = isLanguageCode(chosen) ? chosen : undefined
      const user = await sessions.findSignedInUser(scope.tokenOf(request), language)
      if (!user) return notSignedIn(query.probe)
      const { id: userId, ...own } = user
      return { userId, ...own }
    },
    // Always shorter than what is compressed.
    { compresses: false },
  )

  registerOperation(app, scope, operations.updateUser, async ({ body, principal }) => ({
    user: await sessions.updateUser(principal.userId, body),
  }))

  registerOperation(app, scope, operations.readAgentSession, async ({ query, request }) => {
    const principal = await scope.principalOf(request)
    const agent = principal?.role === 'agent' ? await sessions.findAgent(principal.agentId) : undefined
    if (!agent) return notSignedIn(query.probe)
    return { agentId: agent.id, name: agent.name, phone: agent.phone }
  })

  registerOperation(app, scope, operations.logout, async ({ request, reply }) => {
    await sessions.logOut(scope.tokenOf(request))
    reply.clearCookie(cookies.session, attributes)
    return {}
  })

  registerOperation(app, scope, operations.logoutEverywhere, async ({ principal, reply }) => {
    await sessions.logOutEverywhere(principal)
    reply.clearCookie(cookies.session, attributes)
    return {}
  })

  registerOperation(app, scope, operations.listSessions, async ({ principal, request }) => ({
    sessions: await sessions.listSessions(principal, scope.tokenOf(request)),
  }))

  registerOperation(app, scope, operations.endSession, async ({ principal, params, request, reply }) => {
    const isCurrent = await sessions.endSession(principal, params.id, browserOf(request))
    if (isCurrent) reply.clearCookie(cookies.session, attributes)
    return {}
  })
}
