import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { registerFormRoutes } from '#server/platform/form-scope.ts'
import { languageOf } from '#server/platform/language.ts'
import { workOf } from '#server/platform/plugins/request-trace.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { Routes } from '#server/platform/routes.ts'
import type { StaffScope } from '#server/platform/session-scope.ts'
import { during } from '#server/platform/work.ts'
import { endDeskSessions, readDeskSession, signOutOfDesk } from '#shared/desk/staff/staff.api.ts'
import { deskErrors } from '#shared/desk/staff/staff.errors.ts'
import { deskCallbackPath, deskHereCookie, deskSignInPath } from '#shared/desk/staff/staff.operations.ts'
import { cookieAttributes, cookieName, isSecure } from '#shared/platform/cookie-name.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { beginSignIn, endByProvider, finishSignIn, signOut } from './sign-in.ts'
import { flowLifeMs, flowSlots, queryOf, slotOf } from './staff.rules.ts'
import { findStaff, readStaffSession } from './staff-sessions.ts'

function cookiesOf({ config: { PUBLIC_URL: publicUrl } }: Core) {
  const session = cookieName(publicUrl, 'desk')
  return {
    session,
    here: cookieName(publicUrl, deskHereCookie),
    flow: (slot: string) => cookieName(publicUrl, `desk-flow-${slot}`),
    attributes: cookieAttributes({ secure: isSecure(publicUrl) }),
    tokenOf: (request: FastifyRequest) => request.cookies[session],
  }
}

export function staffScope(core: Core): StaffScope {
  const { tokenOf } = cookiesOf(core)
  return {
    staffOf: (request, options) => findStaff(core, tokenOf(request), options),
    refusal: (reason) =>
      failure(deskErrors, reason === 'not-signed-in' ? 'STAFF_NOT_SIGNED_IN' : 'STAFF_ROLE_MISSING'),
    tokenOf,
  }
}

/** Refuses requests for these addresses from a page of another site, which could load one as a picture. */
function refuseEmbedding({ headers }: FastifyRequest) {
  const isForeign = headers['sec-fetch-site'] === 'cross-site'
  if (isForeign && headers['sec-fetch-dest'] !== 'document') throw failure(platformErrors, 'FORBIDDEN_ORIGIN')
}

export async function staffRoutes(core: Core, { add, app, scope }: Routes): Promise<void> {
  const cookies = cookiesOf(core)
  const { tokenOf } = cookies
  const callerOf = (request: FastifyRequest) => ({
    token: tokenOf(request),
    requestId: request.id,
    address: request.ip,
  })

  function keep(reply: FastifyReply, { token, lifeMs }: { token: string; lifeMs: number }) {
    const attributes = { ...cookies.attributes, maxAge: lifeMs / 1_000 }
    reply.setCookie(cookies.session, token, attributes)
    // A page asks for the session only if it finds the cookie `here`, because the browser's console shows a refusal as
    // an error.
    reply.setCookie(cookies.here, '1', { ...attributes, httpOnly: false })
  }

  function clear(reply: FastifyReply) {
    for (const name of [cookies.session, cookies.here]) reply.clearCookie(name, cookies.attributes)
  }

  function go(reply: FastifyReply, location: string): FastifyReply {
    // The addresses contain states and codes, which must not be stored or passed to other sites.
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
      .redirect(location, 302)
  }

  const step = (path: string, run: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    // A HEAD request would use up the code of the sign-in.
    app.get(path, { schema: { hide: true }, exposeHeadRoute: false }, (request, reply) => {
      refuseEmbedding(request)
      return during(workOf(request), () => run(request, reply))
    })

  step(deskSignInPath, async (request, reply) => {
    const { next, again } = request.query as Readonly<Record<string, unknown>>
    const beginning = {
      next,
      again: again === '1',
      language: languageOf(request),
      taken: flowSlots.filter((slot) => request.cookies[cookies.flow(slot)] !== undefined),
    }
    const { location, flow } = await beginSignIn(core, beginning, callerOf(request))
    if (flow)
      reply.setCookie(cookies.flow(flow.slot), flow.sealed, {
        ...cookies.attributes,
        maxAge: flowLifeMs / 1_000,
      })
    return go(reply, location)
  })

  step(deskCallbackPath, async (request, reply) => {
    const query = queryOf(request.url)
    const flow = cookies.flow(slotOf(new URLSearchParams(query).get('state') ?? ''))
    const sealed = request.cookies[flow]
    if (sealed !== undefined) reply.clearCookie(flow, cookies.attributes)
    const { location, session } = await finishSignIn(core, { query, sealed }, callerOf(request))
    if (session) keep(reply, session)
    else if (session === null) clear(reply)
    return go(reply, location)
  })

  add(readDeskSession, async ({ request }) => {
    const staff = await readStaffSession(core, tokenOf(request))
    if (!staff) throw failure(deskErrors, 'STAFF_NOT_SIGNED_IN')
    return { staff }
  })

  add(signOutOfDesk, async ({ request, reply }) => {
    const endSessionUrl = await signOut(core, tokenOf(request))
    clear(reply)
    return { endSessionUrl }
  })

  await registerFormRoutes(app, (child) => {
    registerOperation(child, scope, endDeskSessions, async ({ body }) => {
      await endByProvider(core, body.logout_token)
      return {}
    })
  })
}
