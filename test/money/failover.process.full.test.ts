import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '#server/platform/database/database.ts'
import { serversOf } from '#server/platform/database/url.ts'
import { signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { openPatientPostgres } from '#test/kit/database/open-postgres.ts'
import { startPair } from '#test/kit/database/standby.ts'
import { openBalancer } from '#test/kit/programs/balancer.ts'
import { startDeployment } from '#test/kit/programs/deployments.ts'
import { playFailover } from '../../scripts/bench/failover.ts'

it('a primary that is killed under load takes nothing with it that was acknowledged', async () => {
  const { rounds, orders, handovers, lost, double } = await playFailover(3)
  expect({ lost, double }).toEqual({ lost: [], double: [] })
  expect(rounds).toHaveLength(3)
  expect(orders).toBeGreaterThan(10)
  expect(handovers).toBeGreaterThan(10)
})

it('a gateway is not ready without a primary, becomes it by a promotion, and writes to neither of two', async () => {
  const pair = await startPair()
  onTestFinished(() => pair.close())
  const balancer = await openBalancer()
  onTestFinished(() => balancer.close())
  const env = { DATABASE_URL: pair.url }
  const stack = await startDeployment({ engine: 'postgres', gateways: 1 }, balancer.url, env)
  onTestFinished(() => stack.close())
  balancer.forwardTo(stack.gatewayUrls)
  const pilgrim = await signedUpPilgrim(stack)
  const first = await pilgrim.person.checkout(pilgrim.user.id)
  const ask = async (path: string) => {
    const answer = await fetch(`${stack.gatewayUrl}${path}`)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const database = (state: string) =>
    eventually(async () => ((await ask('/readyz')).body.database === state ? true : undefined))
  const countOrders = () =>
    Promise.all(
      serversOf(pair.url).map(async (url) => {
        const own = createDatabase(openPatientPostgres(url))
        try {
          const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM orders`.execute(
            own.tables,
          )
          return rows[0]?.count
        } finally {
          await own.close()
        }
      }),
    )

  await stack.killGateway()
  await pair.kill()
  const started = stack.startGateway()
  const { status, body } = await eventually(() => ask('/readyz').catch(() => undefined))
  expect([status, body]).toEqual([503, { ready: false, failing: ['database'] }])
  expect(await ask('/healthz')).toEqual({ status: 200, body: { alive: true } })
  expect(stack.logs().join('\n')).toContain('no server of DATABASE_URL is a primary')
  await pair.promote()
  await started
  const second = await pilgrim.person.checkout(pilgrim.user.id)

  await pair.startOld()
  await database('split')
  expect(await countOrders()).toEqual([1, 2])
  await expect(pilgrim.person.checkout(pilgrim.user.id)).rejects.toThrow()
  expect(await countOrders()).toEqual([1, 2])
  expect(await (await fetch(`${stack.gatewayUrl}/metrics`)).text()).toContain(
    'amtiati_database_servers{state="primary"} 2',
  )
  expect(stack.logs().join('\n')).toContain('are primaries at once')

  await pair.stopOld()
  await database('up')
  const third = await pilgrim.person.checkout(pilgrim.user.id)
  expect(new Set([first, second, third].map(({ orderId }) => orderId)).size).toBe(3)
  // What the old one held alone is gone, and it is the standby.
  await pair.bringBack('rewound')
  await eventually(async () => {
    expect(await countOrders()).toEqual([3, 3])
    return true
  })
})
