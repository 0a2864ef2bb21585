import Fastify, { type FastifyInstance } from 'fastify'
import Type from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failure } from '#server/platform/errors.ts'
import { createLogger } from '#server/platform/logging.ts'
import { defineErrors } from '#shared/platform/problem.ts'
import { openBrowser, openFeatureApp, problemOf, refusedFieldsOf } from '#test/kit/gateway/feature-app.ts'
import { registerErrorGate } from './error-gate.ts'
import { RequestLog } from './request-log.ts'

const rows = defineErrors({
  TOO_SOON: { status: 429, level: 'info', text: { ar: 'بعد {{seconds}} ث', en: 'in {{seconds}} s' } },
})
const fieldText = { ar: 'غير صحيح', en: 'wrong' }

const Body = Type.Object(
  {
    phone: Type.String({ minLength: 3, maxLength: 12 }),
    count: Type.Integer({ minimum: 1 }),
    nested: Type.Object({ code: Type.String() }, { additionalProperties: false }),
  },
  { additionalProperties: false },
)

async function openApp(language?: 'ar' | 'en') {
  const app = await openFeatureApp((feature) => {
    feature.post(
      '/api/check',
      { schema: { body: Body, querystring: Type.Object({}, { additionalProperties: false }) } },
      async () => ({ in: true }),
    )
    feature.get(
      '/api/number/:id',
      { schema: { params: Type.Object({ id: Type.String({ pattern: '^[0-9]+$' }) }) } },
      async () => 'in',
    )
    feature.get('/api/too-soon', async () => {
      throw failure(rows, 'TOO_SOON', {
        values: { seconds: 7 },
        retryAfterSeconds: 7,
        fields: [{ field: 'phone', text: fieldText }],
      })
    })
    feature.get('/api/broken', async () => {
      throw new Error('SELECT secret FROM users failed')
    })
    feature.get('/api/thrown', async () => {
      throw 'teapot'
    })
    feature.get('/api/refused/:status', async (request) => {
      const { status } = request.params as { status: string }
      throw Object.assign(new Error('inner words'), { statusCode: Number(status) })
    })
  })
  return openBrowser(app, language ? { lang: language } : {})
}

const good = { phone: '0512', count: 1, nested: { code: 'x' } }

describe('an expected failure', () => {
  it('is answered with its code, a text in the client’s language, and Retry-After', async () => {
    const answer = await (await openApp('en')).get('/api/too-soon')
    expect(problemOf(answer)).toEqual({
      status: 429,
      success: false,
      code: 'TOO_SOON',
      message: 'in 7 s',
      requestId: expect.any(String),
      fields: [{ field: 'phone', message: 'wrong' }],
      retryAfterSeconds: 7,
    })
    expect(answer.headers).toMatchObject({ 'retry-after': '7', 'cache-control': 'no-store' })
  })

  it('is answered in Arabic by default', async () => {
    const browser = await openApp()
    expect(problemOf(await browser.get('/api/too-soon'))).toMatchObject({
      message: 'بعد 7 ث',
      fields: [{ field: 'phone', message: 'غير صحيح' }],
    })
    expect(
      problemOf(await browser.get('/api/too-soon', { 'accept-language': 'en-GB,ar;q=0.5' })),
    ).toMatchObject({
      message: 'in 7 s',
    })
  })
})

describe('an unexpected failure', () => {
  it.each(['/api/broken', '/api/thrown'])('discloses nothing to the client: %s', async (path) => {
    const answer = await (await openApp('en')).get(path)
    expect(problemOf(answer)).toMatchObject({ status: 500, code: 'UNEXPECTED' })
    expect(answer.bytes.toString()).not.toMatch(/SELECT|teapot|stack/)
  })
})

describe('an error of the framework', () => {
  it.each([
    [400, 400, 'INVALID_REQUEST'],
    [403, 404, 'NOT_FOUND'],
    [404, 404, 'NOT_FOUND'],
    [413, 413, 'BODY_TOO_LARGE'],
    [414, 400, 'INVALID_REQUEST'],
    [415, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [431, 400, 'INVALID_REQUEST'],
    [500, 500, 'UNEXPECTED'],
    [503, 503, 'CLOSING'],
  ])('with %i is answered as %i %s', async (thrown, status, code) => {
    const answer = await (await openApp()).get(`/api/refused/${thrown}`)
    expect(problemOf(answer)).toMatchObject({ status, code })
    expect(answer.bytes.toString()).not.toContain('inner words')
  })
})

describe('an invalid body', () => {
  it.each<[string, object, string[]]>([
    ['a missing field', { count: 1, nested: { code: 'x' } }, ['phone']],
    ['every missing field', {}, ['phone', 'count', 'nested']],
    ['an unknown field', { ...good, admin: true }, ['admin']],
    ['every unknown field', { ...good, admin: true, role: 'agent' }, ['admin', 'role']],
    ['a number where text belongs', { ...good, phone: 512 }, ['phone']],
    ['a list where text belongs', { ...good, phone: ['0512'] }, ['phone']],
    ['text where a number belongs', { ...good, count: '1' }, ['count']],
    ['a broken number', { ...good, count: 1.5 }, ['count']],
    ['a number out of bounds', { ...good, count: 0 }, ['count']],
    ['null', { ...good, phone: null }, ['phone']],
    ['a field inside a field', { ...good, nested: { code: 7 } }, ['nested.code']],
    ['a missing field inside a field', { ...good, nested: {} }, ['nested.code']],
    ['an unknown field inside a field', { ...good, nested: { code: 'x', more: 1 } }, ['nested.more']],
    ['wrong and unknown at once', { ...good, phone: 1, admin: true }, ['admin', 'phone']],
  ])('names the invalid field: %s', async (_, body, fields) => {
    const answer = await (await openApp()).post('/api/check', body)
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(refusedFieldsOf(answer).sort()).toEqual([...fields].sort())
  })

  it('names each field once, with its first error and the limit that it does not keep', async () => {
    const answer = await (await openApp('en')).post('/api/check', { ...good, phone: '' })
    expect(problemOf(answer).fields).toEqual([
      { field: 'phone', message: 'At least 3 characters are needed here.' },
    ])
  })

  it('names the limit of a text that is too long, in the language of the request', async () => {
    for (const [language, message] of [
      ['en', 'Too long: at most 12 characters.'],
      ['ar', 'أطول من المسموح: 12 حرفًا على الأكثر.'],
    ] as const) {
      const answer = await (await openApp(language)).post('/api/check', { ...good, phone: '0'.repeat(13) })
      expect(problemOf(answer).fields).toEqual([{ field: 'phone', message }])
    }
  })

  it('names the part of the request when all of it is invalid', async () => {
    const browser = await openApp('en')
    expect(refusedFieldsOf(await browser.post('/api/check', '[]'))).toEqual(['body'])
    expect(refusedFieldsOf(await browser.post('/api/check', '7'))).toEqual(['body'])
  })

  it('names parameters of the path and of the query', async () => {
    const browser = await openApp()
    expect(refusedFieldsOf(await browser.get('/api/number/x1'))).toEqual(['id'])
    expect(refusedFieldsOf(await browser.post('/api/check?debug=1', good))).toEqual(['debug'])
  })

  it.each([
    ['broken JSON', '{"phone":', 400, 'INVALID_REQUEST'],
    ['no JSON at all', 'phone=0512', 400, 'INVALID_REQUEST'],
    ['an empty body', '', 400, 'INVALID_REQUEST'],
    ['a poisoned prototype', '{"__proto__":{"admin":true}}', 400, 'INVALID_REQUEST'],
    ['two megabytes', `"${'x'.repeat(2_000_000)}"`, 413, 'BODY_TOO_LARGE'],
  ])('is refused when it is %s', async (_, body, status, code) => {
    expect(problemOf(await (await openApp()).post('/api/check', body))).toMatchObject({ status, code })
  })

  it('is accepted when valid', async () => {
    expect((await (await openApp()).post('/api/check', good)).json).toEqual({ in: true })
  })
})

describe('a part of the request with two alternative schemas', () => {
  const either = Type.Union([
    Type.Object({ phone: Type.String() }, { additionalProperties: false }),
    Type.Object({ email: Type.String() }, { additionalProperties: false }),
  ])

  it.each(['body', 'querystring'])(
    'is refused by the fields that are missing, without the %s itself',
    async (part) => {
      const app = await openFeatureApp((feature) => {
        feature.post('/api/either', { schema: { [part]: either } }, async () => 'in')
      })
      expect(refusedFieldsOf(await openBrowser(app).post('/api/either', {}))).toEqual(['phone', 'email'])
    },
  )
})

describe('the log line of a failure', () => {
  const lines: Record<string, unknown>[] = []
  const own = defineErrors({
    LOST: { status: 500, level: 'error', text: { ar: 'ضاع', en: 'lost' } },
    BUSY: { status: 503, level: 'warn', text: { ar: 'مشغول', en: 'busy' } },
  })

  async function lineOf(thrown: unknown) {
    lines.length = 0
    const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
    const app = Fastify({ loggerInstance: logger, logController: new RequestLog(logger) })
    registerErrorGate(app as unknown as FastifyInstance)
    app.get('/', async () => {
      throw thrown
    })
    onTestFinished(() => app.close())
    await app.inject('/')
    await app.close()
    expect(lines).toHaveLength(1)
    return lines[0]
  }
  const place = expect.stringContaining('error-gate.test.ts')

  it('holds the stack of an error, expected or not', async () => {
    expect(await lineOf(failure(own, 'LOST'))).toMatchObject({
      code: 'LOST',
      level: 50,
      err: { stack: place },
    })
    expect(await lineOf(new Error('broken'))).toMatchObject({
      code: 'UNEXPECTED',
      err: { message: 'broken', stack: place },
    })
  })

  it('names the cause of a warning, if it has one', async () => {
    const cause = new Error('the partner is away')
    expect(await lineOf(failure(own, 'BUSY', { cause }))).toMatchObject({
      code: 'BUSY',
      level: 40,
      err: { message: 'the partner is away' },
    })
    expect(await lineOf(failure(own, 'BUSY'))).not.toHaveProperty('err')
  })
})
