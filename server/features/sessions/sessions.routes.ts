import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '#server/core.ts'
import { showPairing } from '#server/features/otp/pairings.ts'
import { type SentCode, sendCode } from '#server/features/otp/send-codes.ts'
import { readDelivery } from '#server/features/otp/stored-codes.ts'
import { acceptedName } from '#server/features/users/users.rules.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { languageOf } from '#server/platform/language.ts'
import type { Routes } from '#server/platform/routes.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import type { CodeChannel, SendChannel } from '#shared/platform/code-channels.ts'
import { cookieAttributes } from '#shared/platform/cookie-name.ts'
import { isLanguageCode, languageCookie } from '#shared/platform/language.ts'
import * as confirmations from '#shared/sessions/confirmations.api.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import * as emails from '#shared/sessions/emails.api.ts'
import { bindingLifeMs, deviceLifeMs, sessionLife } from '#shared/sessions/session-lives.ts'
import * as operations from '#shared/sessions/sessions.api.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { askConfirmation, verifyConfirmation, withConfirmation } from './confirmations.ts'
import { addEmail, recoverAccount, removeOwnEmail, stopEmail, verifyEmail, verifyRecovery } from './emails.ts'
import { type Role, sessionCookiesFor } from './sessions.rules.ts'
import {
  endSession,
  findPrincipal,
  findPrincipalWith,
  findSignedInAgent,
  findSignedInUser,
  listSessions,
  logOut,
  logOutEverywhere,
  updateUser,
} from './sessions.ts'
import { type SessionBrowser, type SignedIn, signInAgent, signInUser } from './sign-in.ts'

export function sessionScope(core: Core): SessionScope {
  const cookies = cookiesOf(core)
  return {
    principalOf: (request) => findPrincipal(core, request.cookies[cookies.session]),
    principalWith: (request, read) => findPrincipalWith(core, request.cookies[cookies.session], read),
    refusal: (reason) => failure(sessionsErrors, reason === 'not-signed-in' ? 'NOT_SIGNED_IN' : 'WRONG_ROLE'),
    tokenOf: (request) => request.cookies[cookies.session],
    clearCookies(reply) {
      for (const name of [cookies.session, cookies.role, cookies.binding, cookies.device])
        reply.clearCookie(name, cookieAttributes(cookies))
    },
  }
}

export const runConfirmed = <T>(
  core: Core,
  purpose: ConfirmationPurpose,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> => withConfirmation(core, purpose, browserOf(core, request), work)

export function sessionsRoutes(core: Core, routes: Routes): void {
  signInRoutes(core, routes)
  ownSessionsRoutes(core, routes)
  confirmationRoutes(core, routes)
  emailRoutes(core, routes)
}

function signInRoutes(core: Core, { add }: Routes) {
  const send = async (
    role: Role,
    { phone, channel }: { readonly phone: string; readonly channel?: CodeChannel },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const browser = browserOf(core, request)
    return answerSent(
      core,
      reply,
      await sendCode(core, { role, phone, channel, language: browser.language }, browser),
    )
  }

  add(operations.requestOtp, async ({ body, request, reply }) => {
    // An invalid name must be refused before a code is sent.
    if (body.name !== undefined) acceptedName(body.name)
    return send('user', body, request, reply)
  })

  add(operations.readDelivery, async ({ request }) => ({
    state: await readDelivery(core, browserOf(core, request)),
  }))

  add(operations.verifyOtp, async ({ body, request, reply }) => {
    const { phone, code, name } = body
    const { user, ...signedIn } = await signInUser(core, { phone, code, name }, browserOf(core, request))
    setSessionCookies(core, reply, 'user', signedIn)
    return { user }
  })

  add(operations.sendAgentOtp, ({ body, request, reply }) => send('agent', body, request, reply))

  add(operations.showPairing, async ({ body, request, reply }) =>
    bindBrowser(core, reply, await showPairing(core, body.phone, browserOf(core, request))),
  )

  add(operations.verifyAgentOtp, async ({ body, request, reply }) => {
    const { agent, handle, ...signedIn } = await signInAgent(core, body, browserOf(core, request))
    setSessionCookies(core, reply, 'agent', signedIn)
    return { agent, token: handle }
  })
}

function ownSessionsRoutes(core: Core, { add, scope }: Routes) {
  const notSignedIn = (probe: '1' | undefined): { success: false } => {
    if (probe === undefined) throw scope.refusal('not-signed-in')
    return { success: false }
  }

  add(
    operations.readUserSession,
    async ({ query, request, reply }) => {
      const chosen = request.cookies[languageCookie.name]
      const language = isLanguageCode(chosen) ? chosen : undefined
      const user = await findSignedInUser(core, scope.tokenOf(request), language)
      mendRole(core, request, reply, 'user', user !== undefined)
      if (!user) return notSignedIn(query.probe)
      const { id: userId, ...own } = user
      return { userId, ...own }
    },
    // The answer of this route is always too short to compress.
    { compresses: false },
  )

  add(operations.updateUser, async ({ body, principal }) => ({
    user: await updateUser(core, principal.userId, body),
  }))

  add(operations.readAgentSession, async ({ query, request, reply }) => {
    const agent = await findSignedInAgent(core, scope.tokenOf(request))
    mendRole(core, request, reply, 'agent', agent !== undefined)
    if (!agent) return notSignedIn(query.probe)
    return { agentId: agent.id, name: agent.name, phone: agent.phone }
  })

  add(operations.logout, async ({ request, reply }) => {
    await logOut(core, scope.tokenOf(request))
    clearSession(core, reply)
    return {}
  })

  add(operations.logoutEverywhere, async ({ principal, reply }) => {
    await logOutEverywhere(core, principal)
    clearSession(core, reply)
    return {}
  })

  add(operations.listSessions, async ({ principal, request }) => ({
    sessions: await listSessions(core, principal, scope.tokenOf(request)),
  }))

  add(operations.endSession, async ({ principal, params, request, reply }) => {
    const isCurrent = await endSession(core, principal, params.id, browserOf(core, request))
    if (isCurrent) clearSession(core, reply)
    return {}
  })
}

function confirmationRoutes(core: Core, { add }: Routes) {
  add(confirmations.askConfirmation, async ({ body, principal, request, reply }) =>
    answerSent(core, reply, await askConfirmation(core, principal.userId, body, browserOf(core, request))),
  )

  add(confirmations.verifyConfirmation, async ({ body, principal, request, reply }) => {
    try {
      return await verifyConfirmation(core, principal.userId, body.code, browserOf(core, request))
    } catch (error) {
      if (isFailure(error, 'CONFIRMATION_FAILED')) clearSession(core, reply)
      throw error
    }
  })
}

function emailRoutes(core: Core, { add }: Routes) {
  add(emails.addEmail, async ({ body, principal, request, reply }) =>
    bindBrowser(core, reply, await addEmail(core, principal.userId, body.email, browserOf(core, request))),
  )

  add(emails.verifyEmail, async ({ body, principal, request }) => ({
    user: await verifyEmail(core, principal.userId, body.code, browserOf(core, request)),
  }))

  add(emails.removeEmail, async ({ principal, request }) => ({
    user: await removeOwnEmail(core, principal.userId, browserOf(core, request)),
  }))

  add(emails.stopEmail, async ({ body }) => {
    await stopEmail(core, body.token)
    return {}
  })

  add(emails.recoverAccount, async ({ body, request, reply }) => {
    const sent = await recoverAccount(core, body, browserOf(core, request))
    const { expiresInSeconds, resendInSeconds } = bindBrowser(core, reply, sent)
    return { expiresInSeconds, resendInSeconds }
  })

  add(emails.verifyRecovery, async ({ body, request, reply }) => {
    const { user, ...signedIn } = await verifyRecovery(core, body, browserOf(core, request))
    setSessionCookies(core, reply, 'user', signedIn)
    return { user }
  })
}

const cookiesOf = ({ config }: Core) => sessionCookiesFor(config.PUBLIC_URL)

function browserOf(core: Core, request: FastifyRequest): SessionBrowser {
  const names = cookiesOf(core)
  const { cookies, headers, ip, log } = request
  return {
    binding: cookies[names.binding],
    session: cookies[names.session],
    device: cookies[names.device],
    address: ip,
    userAgent: headers['user-agent'],
    language: languageOf(request),
    log,
  }
}

/** A code is valid only in the browser with this cookie. */
function bindBrowser<T extends object>(
  core: Core,
  reply: FastifyReply,
  { binding, ...body }: T & { readonly binding: string },
) {
  setCookie(core, reply, 'binding', binding, bindingLifeMs)
  return body
}

function answerSent<Channel extends SendChannel>(core: Core, reply: FastifyReply, sent: SentCode<Channel>) {
  const { channels, ...body } = bindBrowser(core, reply, sent)
  return { ...body, channels: [...channels] }
}

function setSessionCookies(core: Core, reply: FastifyReply, role: Role, { token, device }: SignedIn) {
  setCookie(core, reply, 'session', token, sessionLife[role].absoluteMs)
  setCookie(core, reply, 'role', role, sessionLife[role].absoluteMs)
  setCookie(core, reply, 'device', device, deviceLifeMs)
}

function setCookie(
  core: Core,
  reply: FastifyReply,
  name: 'session' | 'role' | 'binding' | 'device',
  value: string,
  lifeMs: number,
) {
  const cookies = cookiesOf(core)
  reply.setCookie(cookies[name], value, { ...cookieAttributes(cookies), maxAge: lifeMs / 1000 })
}

function clearSession(core: Core, reply: FastifyReply) {
  const cookies = cookiesOf(core)
  for (const name of [cookies.session, cookies.role]) reply.clearCookie(name, cookieAttributes(cookies))
}

/** Corrects the role cookie: the session can have ended elsewhere, or the browser can have lost the cookie. */
function mendRole(
  core: Core,
  request: FastifyRequest,
  reply: FastifyReply,
  role: Role,
  isSignedIn: boolean,
): void {
  const cookies = cookiesOf(core)
  const isNamed = request.cookies[cookies.role] === role
  if (isSignedIn && !isNamed) setCookie(core, reply, 'role', role, sessionLife[role].absoluteMs)
  if (!isSignedIn && isNamed) reply.clearCookie(cookies.role, cookieAttributes(cookies))
}
