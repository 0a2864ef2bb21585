import { describe, expect, it } from 'vitest'
import { buildPartner, createIntention, type TestPartner } from '#test/builders/mock-partner.builder.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'
import { freshFolder } from '#test/kit/fresh-folder.ts'

/** Records what a gateway is asked for; fails while `reason` is set. */
function fakeGateway() {
  const asked: string[] = []
  let reason: string | undefined
  const ask = async (what: string) => {
    if (reason !== undefined) throw new Error(reason)
    asked.push(what)
  }
  return {
    asked,
    failWith: (next: string | undefined) => {
      reason = next
    },
    gateway: {
      reset: () => ask('reset'),
      saveSnapshot: (name: string) => ask(`save ${name}`),
      restoreSnapshot: (name: string) => ask(`restore ${name}`),
      setClock: (aheadMs: number) => ask(`clock ${aheadMs}`),
    },
  }
}

const postTo =
  ({ ask }: TestPartner) =>
  (path: string, payload: object = {}) =>
    ask('POST', path, payload)

describe('with a gateway', () => {
  it('clock, reset, snapshots and restore ask it, too, and say so', async () => {
    const { asked, gateway } = fakeGateway()
    const partner = buildPartner({ gateway })
    const post = postTo(partner)
    const sides = ['simulator', 'gateway']
    for (const [path, body] of [
      ['/clock', { advanceMs: 1_000 }],
      ['/clock', { advanceMs: 500 }],
      ['/snapshots/one', {}],
      ['/reset', {}],
      ['/snapshots/one/restore', {}],
    ] as const)
      expect(await post(path, body)).toMatchObject({ status: 200, body: { sides } })
    expect(asked).toEqual(['clock 1000', 'clock 1500', 'save one', 'reset', 'restore one'])
    expect(partner.clock.aheadMs()).toBe(1_500)
  })

  it('whose part fails, nothing is changed here, and the answer says why', async () => {
    const { gateway, failWith } = fakeGateway()
    const partner = buildPartner({ gateway })
    const post = postTo(partner)
    await post('/snapshots/empty')
    await createIntention(partner)
    failWith('it answered 401 at http://here')
    for (const [path, body] of [
      ['/clock', { advanceMs: 1_000 }],
      ['/reset', {}],
      ['/snapshots/full', {}],
      ['/snapshots/empty/restore', {}],
    ] as const) {
      const { status, body: answer } = await post(path, body)
      expect([status, answer.error]).toEqual([502, 'GATEWAY_FAILED'])
      expect(answer.message).toMatch(/gateway did not .*401 at http:\/\/here.* simulator is unchanged/)
    }
    expect(partner.clock.aheadMs()).toBe(0)
    expect(partner.payment.list(10)).toHaveLength(1)
    failWith(undefined)
    expect((await post('/snapshots/full/restore')).status).toBe(404)
  })
})

describe('a snapshot', () => {
  it.each([
    ['in memory', () => undefined],
    ['in its folder', freshFolder],
  ])('%s brings back what the services held, and waiting callbacks', async (_, folder) => {
    const partner = buildPartner({ dataDir: folder() })
    const post = postTo(partner)
    await createIntention(partner)
    await partner.payments.replay('42', { outcome: 'success', callback: 'late', delayMs: 60_000 })
    const { awb } = partner.shipping.createShipment(createRequest())
    partner.clock.advance(10_000)
    const now = partner.clock.now()
    expect((await post('/snapshots/before')).body).toMatchObject({ name: 'before', sides: ['simulator'] })

    await post('/reset')
    await createIntention(partner, { special_reference: '43-1', extras: { order_number: 43 } })
    expect((await post('/snapshots/before/restore')).status).toBe(200)
    expect(partner.clock.now()).toBe(now)
    expect(partner.payment.list(10).map(({ reference }) => reference)).toEqual(['42-1'])
    expect(partner.shipping.findShipments(awb)).toHaveLength(1)
    expect(partner.caught).toEqual([])
    await post('/clock', { advanceMs: 50_000 })
    expect(partner.caught).toHaveLength(1)

    // A restored state is a copy: what happened since is not in the snapshot.
    expect((await post('/snapshots/before/restore')).status).toBe(200)
    await post('/clock', { advanceMs: 50_000 })
    expect(partner.caught).toHaveLength(2)
    await partner.app.close()
  })

  it('is there after a restart', async () => {
    const dataDir = freshFolder()
    const before = buildPartner({ dataDir })
    await createIntention(before)
    await postTo(before)('/snapshots/kept')
    await before.app.close()
    const after = buildPartner({ dataDir })
    await postTo(after)('/reset')
    await postTo(after)('/snapshots/kept/restore')
    expect(after.payment.list(10)).toHaveLength(1)
    await after.app.close()
  })

  it.each(['..', '.hidden', 'a.b', 'a%2fb'])('cannot be called %s', async (name) => {
    const post = postTo(buildPartner())
    expect([400, 404]).toContain((await post(`/snapshots/${name}`)).status)
  })
})
