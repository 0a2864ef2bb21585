import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import { languageOf } from '#server/platform/language.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import { workOf } from '#server/platform/plugins/request-trace.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope, StaffScope } from '#server/platform/session-scope.ts'
import { during } from '#server/platform/work.ts'
import { deskErrors } from '#shared/desk/desk.errors.ts'
import {
  deskCallbackPath,
  deskHereCookie,
  deskSignInPath,
  readDeskSession,
  signOutOfDesk,
} from '#shared/desk/desk.operations.ts'
import { cookieAttributes, cookieName, isSecure } from '#shared/platform/cookie-name.ts'
import { flowLifeMs, queryOf } from './desk.rules.ts'
import type { DeskService } from './desk.service.ts'

/** Names and attributes of the desk's cookies. */
export function deskCookies(publicUrl: string) {
  return {
    session: cookieName(publicUrl, 'desk'),
    here: cookieName(publicUrl, deskHereCookie),
    /** Of one tab: several may sign in at once. */
    flow: (state: string) => cookieName(publicUrl, `desk-flow-${state.slice(0, 6)}`),
    attributes: cookieAttributes({ secure: isSecure(publicUrl) }),
  }
}
type DeskCookies = ReturnType<typeof deskCookies>

export const staffScope = (desk: DeskService, cookies: DeskCookies): StaffScope => ({
  staffOf: (request, options) => desk.findStaff(request.cookies[cookies.session], options),
  refusal: (reason) =>
    failure(deskErrors, reason === 'not-signed-in' ? 'STAFF_NOT_SIGNED_IN' : 'STAFF_ROLE_MISSING'),
  tokenOf: (request) => request.cookies[cookies.session],
})

/** Each asks the provider. A company's people share an address. */
const callbacksPerAddress = [{ count: 200, windowMs: 10 * 60_000 }]

export function deskRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  desk: DeskService,
  { cookies, clock }: { readonly cookies: DeskCookies; readonly clock: Clock },
): void {
  const callbacks = createCallLimit<string>(callbacksPerAddress, clock)
  const tokenOf = (request: FastifyRequest) => request.cookies[cookies.session]
  const askingOf = (request: FastifyRequest) => ({ token: tokenOf(request), requestId: request.id })

  function keep(reply: FastifyReply, { token, lifeMs }: { token: string; lifeMs: number }): void {
    const attributes = { ...cookies.attributes, maxAge: lifeMs / 1_000 }
    reply.setCookie(cookies.session, token, attributes)
    // Without it a page does not ask whose session it is: a refusal is an error in the console of a browser.
    reply.setCookie(cookies.here, '1', { ...attributes, httpOnly: false })
  }

  function clear(reply: FastifyReply): void {
    for (const name of [cookies.session, cookies.here]) reply.clearCookie(name, cookies.attributes)
  }

  function go(reply: FastifyReply, location: string): FastifyReply {
    // Neither address is for another site or for the next visit: they hold states and codes.
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
      .redirect(location, 302)
  }

  const step = (path: string, run: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    // A HEAD would use up the code.
    app.get(path, { schema: { hide: true }, exposeHeadRoute: false }, (request, reply) =>
      during(workOf(request), () => run(request, reply)),
    )

  step(deskSignInPath, async (request, reply) => {
    const { next, again } = request.query as Readonly<Record<string, unknown>>
    const { location, flow } = await desk.beginSignIn(
      { next, again: again === '1', language: languageOf(request) },
      askingOf(request),
    )
    if (flow)
      reply.setCookie(cookies.flow(flow.state), flow.sealed, {
        ...cookies.attributes,
        maxAge: flowLifeMs / 1_000,
      })
    return go(reply, location)
  })

  step(deskCallbackPath, async (request, reply) => {
    countCall(callbacks, request.ip)
    const query = queryOf(request.url)
    const flow = cookies.flow(new URLSearchParams(query).get('state') ?? '')
    const sealed = request.cookies[flow]
    // Used or not.
    if (sealed !== undefined) reply.clearCookie(flow, cookies.attributes)
    const { location, session } = await desk.finishSignIn({ query, sealed }, askingOf(request))
    if (session) keep(reply, session)
    else if (session === null) clear(reply)
    return go(reply, location)
  })

  registerOperation(app, scope, readDeskSession, async ({ request }) => {
    const staff = await desk.readSession(tokenOf(request))
    // It has ended since it was admitted.
    if (!staff) throw failure(deskErrors, 'STAFF_NOT_SIGNED_IN')
    return { staff }
  })

  registerOperation(app, scope, signOutOfDesk, async ({ request, reply }) => {
    const endSessionUrl = await desk.signOut(tokenOf(request))
    clear(reply)
    return { endSessionUrl }
  })
}
