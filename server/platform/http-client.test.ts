import { describe, expect, it } from 'vitest'
import { nobodyThere, openOutsider } from '#test/kit/outsider.ts'
import { type Exchange, exchange } from './http-client.ts'
import { Unreachable } from './unreachable.ts'

const patienceMs = 5_000

async function failureOf(request: Exchange): Promise<Unreachable> {
  const error = await exchange(request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Unreachable)) throw new Error(`expected Unreachable, got ${String(error)}`)
  return error
}

describe('exchange', () => {
  it('sends JSON as JSON', async () => {
    const outsider = await openOutsider()
    outsider.replies({ status: 201, json: { id: 1 } })
    const answer = await exchange({
      method: 'POST',
      url: `${outsider.url}/things?x=1`,
      headers: { authorization: 'Token secret' },
      json: { name: 'عبد الله' },
      timeoutMs: patienceMs,
    })
    expect(answer).toEqual({ status: 201, body: { id: 1 } })
    expect(outsider.heard).toEqual([
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

  it('sends a form as a form', async () => {
    const outsider = await openOutsider()
    outsider.replies({ status: 200, json: {} })
    await exchange({
      method: 'POST',
      url: `${outsider.url}/send`,
      form: { To: '+966500000001', Text: 'a&b' },
      timeoutMs: patienceMs,
    })
    expect(outsider.heard[0]).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'To=%2B966500000001&Text=a%26b',
    })
  })

  it('sends no body and no content type where there is nothing to send', async () => {
    const outsider = await openOutsider()
    outsider.replies({ status: 200, json: [] })
    await exchange({ method: 'GET', url: outsider.url, timeoutMs: patienceMs })
    expect(outsider.heard).toEqual([
      { method: 'GET', path: '/', headers: { accept: 'application/json' }, body: '' },
    ])
  })

  it.each([200, 400, 401, 404, 429, 500, 503])('takes status %i as an answer', async (status) => {
    const outsider = await openOutsider()
    outsider.replies({ status, json: { status } })
    const answer = await exchange({ method: 'GET', url: outsider.url, timeoutMs: patienceMs })
    expect(answer).toEqual({ status, body: { status } })
  })

  it.each(['', 'Shipment created successfully', '{"half":'])(
    'answers no body where %j is no JSON',
    async (text) => {
      const outsider = await openOutsider()
      outsider.replies({ status: 200, text })
      const answer = await exchange({ method: 'GET', url: outsider.url, timeoutMs: patienceMs })
      expect(answer).toEqual({ status: 200, body: undefined })
    },
  )

  it('asks once, whatever the answer', async () => {
    const outsider = await openOutsider()
    outsider.replies({ status: 503, json: {} }, { status: 200, json: {} })
    await exchange({ method: 'GET', url: outsider.url, timeoutMs: patienceMs })
    expect(outsider.heard).toHaveLength(1)
  })
})

describe('exchange that gets no answer', () => {
  it('leaves no doubt when nobody listens: nothing can have been done', async () => {
    const request: Exchange = {
      method: 'POST',
      url: `${await nobodyThere()}/v1/x?key=secret`,
      timeoutMs: patienceMs,
    }
    const error = await failureOf(request)
    expect(error).toMatchObject({ name: 'Unreachable', doubtful: false })
    expect(error.cause).toBeInstanceOf(Error)
  })

  it.each(['reset', 'hang', 'hang-in-body'] as const)(
    'is in doubt after %s: the other side may have done the work',
    async (reply) => {
      const outsider = await openOutsider()
      outsider.replies(reply)
      const error = await failureOf({ method: 'POST', url: `${outsider.url}/v1/x`, json: {}, timeoutMs: 200 })
      expect(error.doubtful).toBe(true)
      expect(outsider.heard).toHaveLength(1)
    },
  )

  it('does not follow an address that the other side sends it to', async () => {
    const [outsider, elsewhere] = [await openOutsider(), await openOutsider()]
    outsider.replies({ status: 302, text: '', headers: { location: elsewhere.url } })
    const error = await failureOf({ method: 'POST', url: outsider.url, json: {}, timeoutMs: patienceMs })
    expect(error.doubtful).toBe(true)
    expect(elsewhere.heard).toEqual([])
  })

  it('names the method and the path, and no query', async () => {
    const error = await failureOf({
      method: 'GET',
      url: `${await nobodyThere()}/v1/things?client_secret=s`,
      timeoutMs: patienceMs,
    })
    expect(error.message).toBe('GET /v1/things')
  })
})
