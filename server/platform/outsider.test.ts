import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nobodyThere, openOutsider, type Reply } from '#test/kit/outsider.ts'
import type { Exchange } from './http-client.ts'
import { createMetrics } from './metrics.ts'
import { createOutsider } from './outsider.ts'
import { Unreachable } from './unreachable.ts'

const ok = { status: 200, json: { fine: true } }
const broken = { status: 500, json: {} }

async function open(...replies: Reply[]) {
  const neighbour = await openOutsider()
  neighbour.replies(...replies)
  const metrics = createMetrics()
  const outsider = createOutsider('shipping', metrics)
  const request: Exchange = { method: 'GET', url: neighbour.url, timeoutMs: 5_000 }
  const isOpen = async () => /^outsider_shipping_open 1$/m.test(await metrics.registry.metrics())
  return { neighbour, outsider, request, isOpen }
}

/** Only the pauses between tries are skipped: the network keeps its own time. */
const realTimeout = globalThis.setTimeout
beforeEach(() => {
  vi.stubGlobal('setTimeout', (run: () => void, ms?: number, ...rest: unknown[]) =>
    realTimeout(run, ms !== undefined && ms < 1_000 ? 0 : ms, ...rest),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('read', () => {
  it.each<[string, Reply]>([
    ['a 500', broken],
    ['a 429', { status: 429, json: {} }],
    ['a broken connection', 'reset'],
  ])('asks again after %s', async (_, reply) => {
    const { neighbour, outsider, request } = await open(reply, ok)
    expect(await outsider.read(request)).toEqual({ status: 200, body: { fine: true } })
    expect(neighbour.heard).toHaveLength(2)
  })

  it('asks three times and then shows the last answer', async () => {
    const { neighbour, outsider, request } = await open(
      broken,
      broken,
      { status: 503, json: { last: 1 } },
      ok,
    )
    expect(await outsider.read(request)).toEqual({ status: 503, body: { last: 1 } })
    expect(neighbour.heard).toHaveLength(3)
  })

  it('asks three times and then says that nobody answers', async () => {
    const { neighbour, outsider, request } = await open('reset', 'reset', 'reset', ok)
    await expect(outsider.read(request)).rejects.toBeInstanceOf(Unreachable)
    expect(neighbour.heard).toHaveLength(3)
  })

  it.each([200, 204, 400, 401, 404, 422])('takes status %i as it is', async (status) => {
    const { neighbour, outsider, request } = await open({ status, text: '' }, ok)
    expect(await outsider.read(request)).toMatchObject({ status })
    expect(neighbour.heard).toHaveLength(1)
  })
})

describe('exchange', () => {
  it.each<[string, Reply]>([
    ['a 500', broken],
    ['a 429', { status: 429, json: {} }],
  ])('shows %s and asks once: a repetition might do the work twice', async (_, reply) => {
    const { neighbour, outsider, request } = await open(reply, ok)
    expect((await outsider.exchange({ ...request, method: 'POST', json: {} })).status).toBeGreaterThan(400)
    expect(neighbour.heard).toHaveLength(1)
  })

  it('stays in doubt after a broken connection', async () => {
    const { outsider, request } = await open('reset')
    await expect(outsider.exchange(request)).rejects.toMatchObject({ name: 'Unreachable', doubtful: true })
  })

  it('is in no doubt where nobody listens', async () => {
    const outsider = createOutsider('otp')
    const request: Exchange = { method: 'POST', url: await nobodyThere(), timeoutMs: 5_000 }
    await expect(outsider.exchange(request)).rejects.toMatchObject({ doubtful: false })
  })
})

describe('the breaker', () => {
  async function openBroken() {
    const room = await open(...Array.from({ length: 40 }, () => broken))
    for (let count = 0; count < 10; count += 1) await room.outsider.exchange(room.request)
    return room
  }

  it('leaves a neighbour alone that fails again and again, without a doubt: nothing was sent', async () => {
    const { neighbour, outsider, request, isOpen } = await openBroken()
    expect(await isOpen()).toBe(true)
    const asked = neighbour.heard.length
    await expect(outsider.exchange(request)).rejects.toMatchObject({ name: 'Unreachable', doubtful: false })
    await expect(outsider.read(request)).rejects.toMatchObject({ name: 'Unreachable', doubtful: false })
    expect(neighbour.heard).toHaveLength(asked)
  })

  it('does not open for refusals: a bad request is no outage', async () => {
    const refusals = Array.from({ length: 30 }, () => ({ status: 422, json: {} }))
    const { outsider, request, isOpen } = await open(...refusals)
    for (let count = 0; count < 30; count += 1) await outsider.exchange(request)
    expect(await isOpen()).toBe(false)
  })

  it('does not open because one number was refused too often: others must still be able to sign in', async () => {
    const refusals = Array.from({ length: 30 }, () => ({ status: 429, json: {} }))
    const { outsider, request, isOpen } = await open(...refusals)
    for (let count = 0; count < 30; count += 1) await outsider.exchange(request)
    expect(await isOpen()).toBe(false)
  })

  it('of one neighbour does not cut off another', async () => {
    await openBroken()
    const { outsider, request } = await open(ok)
    expect((await outsider.exchange(request)).status).toBe(200)
  })
})
