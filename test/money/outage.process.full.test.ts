import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#shared/config/config.operations.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { shipmentsByOrder } from '#test/kit/orders/shipments.ts'
import { openBalancer } from '#test/kit/programs/balancer.ts'
import { startDeployment } from '#test/kit/programs/deployments.ts'
import { openRelay } from '#test/kit/programs/relay.ts'

/** More than both pools hold. */
const many = 40

it('gateways whose connections to PostgreSQL fall silent serve what needs none, open new ones, and lose nothing', async () => {
  const url = new URL(await freshPostgresUrl())
  const relay = await openRelay({ host: url.hostname, port: Number(url.port) })
  onTestFinished(() => relay.close())
  url.port = String(relay.port)
  const balancer = await openBalancer()
  onTestFinished(() => balancer.close())
  const stack = await startDeployment({ engine: 'postgres', gateways: 2 }, balancer.url, {
    DATABASE_URL: String(url),
  })
  onTestFinished(() => stack.close())
  balancer.forwardTo(stack.gatewayUrls)
  const pilgrim = await signedUpPilgrim(stack)
  await Promise.all(stack.gatewayUrls.flatMap((each) => [readLists(each), readLists(each)]))
  const cookie = [...pilgrim.person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const readSession = (gatewayUrl: string) =>
    fetch(`${gatewayUrl}${readUserSession.path}`, { headers: { cookie } }).then(({ status }) => status)
  const readMany = () => atOnce(many, (index) => readSession(stack.gatewayUrls[index % 2] ?? ''))
  const { orderId: before } = await pilgrim.person.checkout(pilgrim.user.id)
  // Every connection of the pools is open.
  expect(new Set(await readMany())).toEqual(new Set([200]))

  relay.loseConnections()
  const held = readMany()
  for (const gatewayUrl of stack.gatewayUrls) {
    expect((await fetch(`${gatewayUrl}/readyz`)).status).toBe(200)
    expect((await fetch(`${gatewayUrl}/metrics`)).status).toBe(200)
    expect(await readLists(gatewayUrl)).toEqual([200, 200, 200])
  }
  // Nothing tells the gateways that these connections are dead, and yet each request gets an answer.
  expect((await held).filter((status) => status !== 200 && status !== 503)).toEqual([])

  await eventually(async () => ((await readMany()).every((status) => status === 200) ? true : undefined))
  await stack.control.replay(before, 'success')
  const orders = [before, await paidOrder(stack, pilgrim)]
  for (const orderId of orders) {
    await issuedAwb(pilgrim.person, orderId)
    expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
  }
})

const readLists = (gatewayUrl: string) =>
  Promise.all(
    [readConfig.path, listAgents.path, listCenters.path].map(async (path) => {
      const answer = await fetch(`${gatewayUrl}${path}`)
      await answer.arrayBuffer()
      return answer.status
    }),
  )
