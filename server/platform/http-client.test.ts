import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { openStubService, urlWithoutListener } from '#test/kit/gateway/stub-service.ts'
import { type HttpRequest, sendRequest } from './http-client.ts'
import { OutcomeUnknownError, UnreachableError } from './unreachable.ts'

const get = (url: string, change: Partial<HttpRequest> = {}): HttpRequest => ({
  operation: 'try',
  method: 'GET',
  url,
  timeoutMs: patienceMs,
  ...change,
})
const post = (url: string, change: Partial<HttpRequest> = {}) => get(url, { method: 'POST', ...change })

async function failureOf(request: HttpRequest): Promise<UnreachableError | OutcomeUnknownError> {
  const error = await sendRequest(request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof UnreachableError || error instanceof OutcomeUnknownError) return error
  throw new Error(`expected no response, got ${String(error)}`)
}

describe('sendRequest', () => {
  it('sends a JSON body', async () => {
    const service = await openStubService()
    service.replies({ status: 201, json: { id: 1 } })
    const answer = await sendRequest(
      post(`${service.url}/things?x=1`, {
        headers: { authorization: 'Token secret' },
        json: { name: 'عبد الله' },
      }),
    )
    expect(answer).toEqual({ status: 201, body: { id: 1 } })
    expect(service.requests).toEqual([
      {
        method: 'POST',
        path: '/things?x=1',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: 'Token secret',
        },
        body: '{"name":"عبد الله"}',
      },
    ])
  })

  it('sends a form body', async () => {
    const service = await openStubService()
    service.replies({ status: 200, json: {} })
    await sendRequest(post(`${service.url}/send`, { form: { To: '+966500000001', Text: 'a&b' } }))
    expect(service.requests[0]).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'To=%2B966500000001&Text=a%26b',
    })
  })

  it('sends neither body nor content type when there is none', async () => {
    const service = await openStubService()
    service.replies({ status: 200, json: [] })
    await sendRequest(get(service.url))
    expect(service.requests).toEqual([
      { method: 'GET', path: '/', headers: { accept: 'application/json' }, body: '' },
    ])
  })

  it.each([200, 400, 401, 404, 429, 500, 503])('returns status %i as a response', async (status) => {
    const service = await openStubService()
    service.replies({ status, json: { status } })
    const answer = await sendRequest(get(service.url))
    expect(answer).toEqual({ status, body: { status } })
  })

  it.each(['', 'Shipment created successfully', '{"half":'])(
    'returns no body for %j, which is not JSON',
    async (text) => {
      const service = await openStubService()
      service.replies({ status: 200, text })
      const answer = await sendRequest(get(service.url))
      expect(answer).toEqual({ status: 200, body: undefined })
    },
  )
})

describe('sendRequest without a response', () => {
  it('reports a known outcome when the connection is refused', async () => {
    const error = await failureOf(post(`${urlWithoutListener}/v1/x?key=secret`))
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error.cause).toBeInstanceOf(Error)
  })

  it.each(['reset', 'hang', 'hang-in-body'] as const)(
    'reports an unknown outcome after %s',
    async (reply) => {
      const service = await openStubService()
      service.replies(reply)
      const error = await failureOf(post(`${service.url}/v1/x`, { json: {}, timeoutMs: 3_000 }))
      expect(error).toBeInstanceOf(OutcomeUnknownError)
      expect(service.requests).toHaveLength(1)
    },
  )

  it('does not follow redirects', async () => {
    const [service, elsewhere] = [await openStubService(), await openStubService()]
    service.replies({ status: 302, text: '', headers: { location: elsewhere.url } })
    const error = await failureOf(post(service.url, { json: {} }))
    expect(error).toBeInstanceOf(OutcomeUnknownError)
    expect(elsewhere.requests).toEqual([])
  })

  it('names the method and the path without the query', async () => {
    const error = await failureOf(get(`${urlWithoutListener}/v1/things?client_secret=s`))
    expect(error.message).toBe('GET /v1/things')
  })

  it.each([
    [6, undefined],
    [7, { status: 200, body: 12345 }],
  ])('reads at most %i bytes of a response of seven', async (mostBytes, whole) => {
    const service = await openStubService()
    service.replies({ status: 200, text: '12345  ' })
    const answer = await sendRequest(get(service.url, { mostBytes }))
    expect(answer).toEqual(whole ?? { status: 200, body: undefined })
  })

  it('stops reading an endless response', async () => {
    let isClosed: () => void = () => undefined
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve
    })
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const pour = () => {
        while (!response.destroyed && response.write('1'.repeat(65_536)));
      }
      response.on('drain', pour).on('close', isClosed)
      pour()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await sendRequest(get(url, { timeoutMs: 60_000 }))).toEqual({
      status: 200,
      body: undefined,
    })
    await closed
  })
})
