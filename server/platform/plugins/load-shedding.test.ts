import { describe, expect, it } from 'vitest'
import { openBrowser, openRoomApp, problemOf } from '#test/kit/room-app.ts'
import { registerLoadShedding } from './load-shedding.ts'

/** Keeps the process from doing anything else, which is what a queue that only grows looks like from inside. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

async function openDoor() {
  const app = await openRoomApp(async (room) => {
    await registerLoadShedding(room, { always: ['/healthz'] })
    room.get('/healthz', async () => ({ alive: true }))
    room.get('/api/orders', async () => ({ orders: [] }))
  })
  await app.ready()
  return openBrowser(app)
}

describe('a process that keeps up', () => {
  it('does its work', async () => {
    expect((await (await openDoor()).get('/api/orders')).status).toBe(200)
  })
})

describe('a process that cannot keep up', () => {
  it('refuses work and says when to come back, but still shows that it lives', async () => {
    const browser = await openDoor()
    // The delay is a mean over what was measured, so nothing may run before.
    block(2_500)
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    const answer = await browser.get('/api/orders')
    expect(problemOf(answer)).toMatchObject({ status: 503, code: 'OVERLOADED', retryAfterSeconds: 3 })
    expect((await browser.get('/healthz?probe=1')).status).toBe(200)
  })
})
