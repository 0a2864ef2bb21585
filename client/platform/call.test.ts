// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { call, callAgain, isCallProblem, onUnauthorized } from './call.ts'
import { addTexts, setLanguage } from './i18n.ts'
import { operationHref } from './operation-href.ts'

const answer = vi.fn<typeof fetch>()

await addTexts('ar', 'frame')
await addTexts('en', 'frame')

beforeEach(() => {
  void setLanguage('en')
  answer.mockReset()
  vi.stubGlobal('fetch', answer)
})

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isCallProblem(error)) throw new Error('The call did not fail with a CallProblem')
  return error
}

const order = {
  userId: 7,
  type: 'FROM_MINA' as const,
  noOfPackages: 1,
  agentCode: 'A1',
  centerCode: 'C1',
  amount: 50,
}

describe('a call that is made again', () => {
  const page = { success: true, orders: [], nextCursor: null }
  const again = (known?: object) => callAgain(listUserOrders, known, { params: { userId: '7' } })
  const asked = () => new Headers(answer.mock.lastCall?.[1]?.headers).get('if-none-match')

  it('names the ETag of the answer that is known, which 304 confirms', async () => {
    answer.mockResolvedValueOnce(new Response(JSON.stringify(page), { headers: { etag: 'W/"1"' } }))
    const first = await again()
    expect([first, asked()]).toEqual([{ ...page, etag: 'W/"1"' }, null])
    answer.mockResolvedValueOnce(new Response(null, { status: 304 }))
    expect(await again(first)).toBe(first)
    expect(asked()).toBe('W/"1"')
    answer.mockResolvedValueOnce(json(401, { code: 'NOT_SIGNED_IN', message: 'Sign in.' }))
    expect((await failure(again(first))).status).toBe(401)
  })

  it('names none where what is known came without one, and takes no 304 for it', async () => {
    answer.mockResolvedValueOnce(json(200, page))
    const known = await again(page)
    expect([known, asked()]).toEqual([page, null])
    answer.mockResolvedValueOnce(new Response(null, { status: 304 }))
    expect((await failure(again())).code).toBe('UNEXPECTED')
  })
})

describe('a call that the document has begun', () => {
  const signedIn = { success: true, userId: 7, name: 'Maryam', phone: '+966501234567' }
  const href = operationHref(readUserSession)
  const begin = (begun: Promise<Response>, ageMs = 1_000, sinceMs = ageMs) => {
    vi.spyOn(performance, 'now').mockReturnValue(ageMs)
    const now = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(now)
    const at = now - sinceMs
    window.firstAnswers = new Map([[href, { answer: begun, stop: new AbortController(), at }]])
  }

  afterEach(() => {
    vi.restoreAllMocks()
    delete window.firstAnswers
  })

  it('is answered by what came for it, once', async () => {
    begin(Promise.resolve(json(200, signedIn)))
    answer.mockResolvedValue(json(401, {}))
    expect(await call(readUserSession)).toEqual(signedIn)
    expect(answer).not.toHaveBeenCalled()
    expect((await failure(call(readUserSession))).status).toBe(401)
  })

  it.each([
    ['failed', () => Promise.reject(new TypeError('Failed to fetch')), 1_000, 1_000],
    ['is of a document that is older', async () => json(401, {}), 10_001, 1_000],
    ['is older than the document, on a phone that slept', async () => json(401, {}), 1_000, 3_600_000],
    ['was begun by a clock that was set back', async () => json(401, {}), 1_000, -1],
  ])('is made again when it %s', async (_, begun, ageMs, sinceMs) => {
    begin(begun(), ageMs, sinceMs)
    answer.mockResolvedValue(json(200, signedIn))
    expect(await call(readUserSession)).toEqual(signedIn)
  })
})

describe('the request', () => {
  it('fills path and query from the operation and carries the cookie', async () => {
    answer.mockResolvedValue(json(200, { success: true, orders: [], nextCursor: null }))
    await call(listUserOrders, { params: { userId: '7' }, query: { cursor: 'a_b', limit: '20' } })
    const [url, init] = answer.mock.calls[0] ?? []
    expect(url).toBe('/api/orders/user/7?cursor=a_b&limit=20')
    expect(init).toMatchObject({ method: 'GET', credentials: 'include' })
    expect(init).not.toHaveProperty('body')
  })

  it('sends the body as JSON, with the headers given', async () => {
    answer.mockResolvedValue(json(200, { success: true, orderId: 1, clientSecret: 's', publicKey: 'p' }))
    const started = await call(checkout, { body: order, headers: { 'idempotency-key': 'k-1234567' } })
    expect(started.orderId).toBe(1)
    const [, init] = answer.mock.calls[0] ?? []
    expect(init?.body).toBe(JSON.stringify(order))
    expect(init?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'k-1234567',
    })
  })
})

describe('the language of a response', () => {
  it.each(['ar', 'en'] as const)('is requested in the language on screen: %s', async (language) => {
    void setLanguage(language)
    answer.mockResolvedValue(json(200, { success: true, orders: [], nextCursor: null }))
    await call(listUserOrders, { params: { userId: '7' } })
    expect(answer.mock.calls[0]?.[1]?.headers).toMatchObject({ 'accept-language': language })
  })
})

describe('a failure', () => {
  it('of the gateway carries code, status, message, fields and waiting time', async () => {
    const fields = [{ field: 'amount', message: 'No.' }]
    answer.mockResolvedValue(
      json(429, {
        success: false,
        code: 'TOO_MANY_CODES',
        message: 'Wait.',
        requestId: 'r-9',
        fields,
        retryAfterSeconds: 12,
      }),
    )
    expect(await failure(call(checkout, { body: order }))).toMatchObject({
      code: 'TOO_MANY_CODES',
      status: 429,
      message: 'Wait.',
      requestId: 'r-9',
      fields,
      retryAfterSeconds: 12,
    })
  })

  it.each([
    ['a failing answer that is not ours', 502],
    ['HTML instead of JSON', 200],
  ])('has the app’s own text for %s', async (_, status) => {
    answer.mockResolvedValue(new Response('<html>', { status }))
    expect(await failure(call(readUserSession))).toMatchObject({ code: 'UNEXPECTED', status })
  })

  it('of the network is UNREACHABLE, in the language of the screen', async () => {
    void setLanguage('ar')
    answer.mockRejectedValue(new TypeError('Failed to fetch'))
    const problem = await failure(call(readUserSession))
    expect(problem).toMatchObject({ code: 'UNREACHABLE', status: 0 })
    expect(problem.message).toMatch(/تعذّر الاتصال/)
  })

  it('by an abort is the reason of the abort', async () => {
    answer.mockImplementation(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    )
    const controller = new AbortController()
    const pending = call(readUserSession, { signal: controller.signal })
    controller.abort(new Error('left the page'))
    await expect(pending).rejects.toThrow('left the page')
  })

  it('with 401 notifies listeners until they are removed', async () => {
    const listener = vi.fn()
    const stop = onUnauthorized(listener)
    answer.mockImplementation(async () => json(401, { code: 'NOT_SIGNED_IN', message: 'Sign in.' }))
    await failure(call(readUserSession))
    expect(listener).toHaveBeenCalledTimes(1)
    stop()
    await failure(call(readUserSession))
    expect(listener).toHaveBeenCalledTimes(1)
  })
})
