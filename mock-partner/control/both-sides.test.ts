import { describe, expect, it } from 'vitest'
import { buildPartner, createIntention, type TestPartner } from '#test/builders/mock-partner.builder.ts'

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
      setClock: (aheadMs: number) => ask(`clock ${aheadMs}`),
    },
  }
}

const postTo =
  ({ ask }: TestPartner) =>
  (path: string, payload: object = {}) =>
    ask('POST', path, payload)

describe('with a gateway', () => {
  it('clock and reset ask it, too, and say so', async () => {
    const { asked, gateway } = fakeGateway()
    const partner = buildPartner({ gateway })
    const post = postTo(partner)
    const sides = ['simulator', 'gateway']
    for (const [path, body] of [
      ['/clock', { advanceMs: 1_000 }],
      ['/clock', { advanceMs: 500 }],
      ['/reset', {}],
    ] as const)
      expect(await post(path, body)).toMatchObject({ status: 200, body: { sides } })
    expect(asked).toEqual(['clock 1000', 'clock 1500', 'reset'])
    expect(partner.clock.aheadMs()).toBe(0)
  })

  it('whose part fails, nothing is changed here, and the answer says why', async () => {
    const { gateway, failWith } = fakeGateway()
    const partner = buildPartner({ gateway })
    const post = postTo(partner)
    await createIntention(partner)
    failWith('it answered 401 at http://here')
    for (const [path, body] of [
      ['/clock', { advanceMs: 1_000 }],
      ['/reset', {}],
    ] as const) {
      const { status, body: answer } = await post(path, body)
      expect([status, answer.error]).toEqual([502, 'GATEWAY_FAILED'])
      expect(answer.message).toMatch(/gateway did not .*401 at http:\/\/here.* simulator is unchanged/)
    }
    expect(partner.clock.aheadMs()).toBe(0)
    expect(partner.payment.list(10)).toHaveLength(1)
  })
})
