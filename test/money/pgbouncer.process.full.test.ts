import { expect, it, onTestFinished } from 'vitest'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { startPgBouncer } from '#test/kit/database/pgbouncer.ts'
import { shipmentsByOrder } from '#test/kit/orders/shipments.ts'
import { openBalancer } from '#test/kit/programs/balancer.ts'
import { startDeployment } from '#test/kit/programs/deployments.ts'
import { runScript } from '#test/kit/programs/tools.ts'

it('two gateways share four connections of a PgBouncer that pools by transaction, and every order gets its airway bill', async () => {
  const url = await freshPostgresUrl()
  const pool = await startPgBouncer(url, { connections: 4 })
  onTestFinished(() => pool.close())
  const balancer = await openBalancer()
  onTestFinished(() => balancer.close())
  const env = { DATABASE_URL: pool.url, LISTEN_URL: url }
  const stack = await startDeployment({ engine: 'postgres', gateways: 2 }, balancer.url, env)
  onTestFinished(() => stack.close())
  balancer.forwardTo(stack.gatewayUrls)

  const pilgrims = await Promise.all(Array.from({ length: 6 }, () => signedUpPilgrim(stack)))
  const orders = await Promise.all(
    pilgrims.map(async (pilgrim) => {
      const orderId = await paidOrder(stack, pilgrim)
      await issuedAwb(pilgrim.person, orderId)
      return orderId
    }),
  )
  const shipments = await shipmentsByOrder(stack.control)
  expect(orders.map((orderId) => shipments.get(orderId))).toEqual(orders.map(() => 1))
  expect(stack.logs().filter((line) => /"level":[56]0/.test(line))).toEqual([])

  const { code, out, err } = await runScript('ops', ['find', `OD-${orders[0]}`], env)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('PAID')
})
