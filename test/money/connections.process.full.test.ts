import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { shipmentsOf } from '#test/kit/orders/shipments.ts'
import { openBalancer } from '#test/kit/programs/balancer.ts'
import { startDeployment } from '#test/kit/programs/deployments.ts'

describe('a PostgreSQL that drops its connections', () => {
  it('is reconnected, and no payment is lost', async () => {
    const balancer = await openBalancer()
    onTestFinished(() => balancer.close())
    const url = await freshPostgresUrl()
    const stack = await startDeployment({ engine: 'postgres', gateways: 2 }, balancer.url, {
      DATABASE_URL: url,
    })
    onTestFinished(() => stack.close())
    balancer.forwardTo(stack.gatewayUrls)
    const pilgrim = await signedUpPilgrim(stack)

    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    onTestFinished(() => admin.end())
    const cutAll = () =>
      admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )

    const promised: number[] = []
    for (let round = 0; round < (isFull ? 20 : 4); round += 1) {
      const coming = Array.from({ length: 10 }, () => pilgrim.person.checkout(pilgrim.user.id))
      const ended = Promise.allSettled(coming)
      await cutAll()
      await Promise.race(coming).catch(() => undefined)
      await cutAll()
      const answers = (await ended).filter((answer) => answer.status === 'fulfilled')
      promised.push(...answers.map(({ value }) => value.orderId))
    }
    // No process has ended, and all confirmed data is there.
    for (const gatewayUrl of stack.gatewayUrls)
      await eventually(async () => ((await fetch(`${gatewayUrl}/readyz`)).status === 200 ? true : undefined))
    const { orderId } = await eventually(() => pilgrim.person.checkout(pilgrim.user.id))
    promised.push(orderId)
    for (const number of promised) expect((await pilgrim.person.order(number)).status).toBe('PENDING_PAYMENT')

    await Promise.all([stack.control.replay(orderId, 'success'), cutAll()])
    await eventually(
      async () => ((await pilgrim.person.order(orderId)).status === 'PAID' ? true : undefined),
      { withinMs: 20_000 },
    )
    // A worker that lost its booking with the connection gets it back when the lease is over.
    expect(await shipmentsOf(stack.control, orderId, 90_000)).toBe(1)
  })
})
