import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FormFields, readForms } from '../platform/form-body.ts'
import { everyoneOutPage, type PageLanguage, signInPage } from './identity.page.ts'
import { demoPassword, findPerson } from './identity.people.ts'
import type { IdentityState } from './identity.state.ts'

/** Paths of the library, below the prefix, and what each is called in the journal and by faults. */
const operations = {
  '/.well-known/openid-configuration': 'discovery',
  '/auth': 'authorize',
  '/auth/:uid': 'resume',
  '/token': 'token',
  '/me': 'userinfo',
  '/jwks': 'keys',
  '/session/end': 'end-session',
  '/session/end/confirm': 'end-session',
  '/session/end/success': 'end-session',
} as const

interface Identified {
  Params: { uid: string }
  Querystring: Readonly<Record<string, unknown>>
}

/** The identity provider, at the prefix of its issuer. */
export async function registerIdentityRoutes(app: FastifyInstance, state: IdentityState): Promise<void> {
  const running = async (request: FastifyRequest) => {
    const identity = await state.running()
    // Its addresses are those that browsers open, by whatever name the gateway reaches it.
    request.raw.headers.host = new URL(identity.issuer).host
    return identity
  }

  await app.register(async (scope) => {
    // The library reads bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    for (const [url, operation] of Object.entries(operations))
      scope.route({
        method: ['GET', 'POST'],
        url,
        exposeHeadRoute: false,
        config: { operation },
        handler: async (request, reply) => {
          const { answer, issuer } = await running(request)
          const raw = request.raw as typeof request.raw & { originalUrl?: string }
          raw.originalUrl = raw.url ?? ''
          raw.url = raw.originalUrl.slice(new URL(issuer).pathname.length)
          reply.hijack()
          await answer(raw, reply.raw)
        },
      })
  })

  await app.register(async (scope) => {
    readForms(scope)
    registerPages(scope, running)
  })
}

type Running = (request: FastifyRequest) => ReturnType<IdentityState['running']>

function registerPages(scope: FastifyInstance, running: Running): void {
  const languageOf = (asked: unknown, wished: unknown): PageLanguage =>
    asked === 'ar' || asked === 'en' ? asked : wished === 'en' ? 'en' : 'ar'

  const sendPage = (reply: FastifyReply, status: number, page: string) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .send(page)

  async function show(request: FastifyRequest<Identified>, reply: FastifyReply, isWrong: boolean) {
    const { provider, issuer, deskUrl } = await running(request)
    const { uid, params } = await provider.interactionDetails(request.raw, reply.raw)
    const page = signInPage({
      language: languageOf(request.query.lang, params.ui_locales),
      address: `${new URL(issuer).pathname}/interaction/${uid}`,
      desk: new URL(deskUrl).host,
      isWrong,
    })
    return sendPage(reply, isWrong ? 400 : 200, page)
  }

  async function finish(request: FastifyRequest<Identified>, reply: FastifyReply, result: object) {
    const { provider } = await running(request)
    return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303)
  }

  scope.get<Identified>('/interaction/:uid', { config: { operation: 'sign-in-page' } }, (request, reply) =>
    show(request, reply, false),
  )

  scope.post<Identified>(
    '/interaction/:uid/login',
    { config: { operation: 'sign-in' } },
    async (request, reply) => {
      const { person: id, password } = request.body as FormFields
      const person = findPerson(id)
      if (person === undefined || password !== demoPassword) return show(request, reply, true)
      return finish(request, reply, { login: { accountId: person.id, remember: false } })
    },
  )

  scope.post<Identified>(
    '/interaction/:uid/abort',
    { config: { operation: 'cancel-sign-in' } },
    (request, reply) =>
      finish(request, reply, { error: 'access_denied', error_description: 'not signed in' }),
  )

  scope.post<Identified>(
    '/interaction/:uid/everyone',
    { config: { operation: 'end-all-sessions' } },
    async (request, reply) => {
      await (await running(request)).endSessions()
      return sendPage(reply, 200, everyoneOutPage(languageOf(request.query.lang, undefined)))
    },
  )
}
