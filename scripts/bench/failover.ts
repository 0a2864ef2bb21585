import { setTimeout as pause } from 'node:timers/promises'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { recordHandover } from '#shared/orders/handovers.operations.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { type Pair, startPair } from '#test/kit/database/standby.ts'
import { openBrowser, openPool, type Sample } from './client.ts'
import { type Deployment, startDeployment } from './deployment.ts'
import { newPromised, order, phoneOf, signUp, untilBilled } from './journey.ts'
import { startOrderAudit } from './order-audit.ts'
import { countsOf, figure, type Options, type Result, say } from './report.ts'
import { type SignedInAgent, signInAgent } from './visits.ts'

/** Two gateways on a primary and its synchronous standby (docs/operate.md); the primary is killed. */

/** Promise: each gateway writes again within this time after the kill, promotion included. */
const backWithinMs = 15_000
const settledWithinMs = 300_000
const patience = { withinMs: 300_000 }
const walkersPerGateway = 3
const agentCount = 12
/** After this many acknowledged orders without a failure in between a gateway is back. */
const ordersInRow = 4
const restMs = 200

interface Kill {
  /** From the signal until the standby was promoted, which an operator does in production. */
  readonly promotedMs: number
  /** Until the first acknowledged order after the last failure, by gateway. */
  readonly backMs: readonly number[]
  readonly failures: readonly Sample[]
  readonly rebuilt: string
}

export async function runFailover({ kills }: Options): Promise<Result> {
  const { rounds, orders, handovers, lost, double } = await playFailover(kills, say)
  const failed = (samples: readonly Sample[]) =>
    Object.entries(countsOf(samples.map(({ failure }) => failure)))
      .map(([failure, count]) => `${count} × ${failure}`)
      .join(', ') || '0'
  const late = rounds.flatMap(({ backMs }, index) =>
    backMs
      .filter((ms) => ms > backWithinMs)
      .map((ms) => `kill ${index + 1}: back after ${figure(ms / 1_000)} s`),
  )
  say(
    `${orders} orders and ${handovers} acknowledged hand-overs: ${lost.length} lost, ${double.length} double.`,
  )
  return {
    lines: rounds.map(({ promotedMs, backMs, failures, rebuilt }, index) => ({
      kill: String(index + 1),
      'promoted after s': promotedMs / 1_000,
      'back after s': backMs.map((ms) => figure(ms / 1_000)).join(' and '),
      failed: failed(failures),
      'old primary': rebuilt,
    })),
    faults: [...late, ...lost.slice(0, 5), ...double.slice(0, 5)],
    details: { orders, handovers, lost, double },
  }
}

export async function playFailover(kills: number, tell: (line: string) => void = () => undefined) {
  const pair = await startPair()
  let deployment: Deployment | undefined
  try {
    deployment = await startDeployment({ gateways: 2, databaseUrl: pair.url })
    const orderAudit = await startOrderAudit(deployment)
    const load = await startLoad(deployment)
    const rounds: Kill[] = []
    while (rounds.length < kills) {
      const how = rounds.length % 2 === 0 ? 'copied anew' : 'rewound'
      const round = await playKill(pair, load, how)
      rounds.push(round)
      tell(
        `  kill ${rounds.length}: back after ${round.backMs.map((ms) => `${figure(ms / 1_000)} s`).join(' and ')}`,
      )
    }
    await load.end()
    const { orders, lost, double } = await orderAudit.finish(load.promised, settledWithinMs)
    const handovers = load.promised.orders.filter(({ isHandedOver }) => isHandedOver).length
    return { rounds, orders, handovers, lost, double }
  } finally {
    await deployment?.close().catch((error: unknown) => tell(String(error)))
    await pair.close()
  }
}

type Load = Awaited<ReturnType<typeof startLoad>>

async function startLoad({ control, lists, gatewayUrls }: Deployment) {
  const pools = gatewayUrls.map((url) => openPool(url))
  const samples: Sample[][] = pools.map(() => [])
  const promised = newPromised()
  const agents: (SignedInAgent & { readonly code: string })[] = []
  for (const { id, phone } of lists.agents.slice(0, agentCount)) {
    const browser = openBrowser(pools)
    agents.push({ ...(await signInAgent({ browser, control, phone: phone.replaceAll(' ', '') })), code: id })
  }
  let phones = 0
  let hasEnded = false

  async function travel(index: number): Promise<void> {
    const turn = phones++
    const agent = agents[turn % agents.length] as (typeof agents)[number]
    const center = lists.centers[turn % lists.centers.length]
    const browser = openBrowser(pools.slice(index, index + 1), (sample) => samples[index]?.push(sample))
    const userId = await signUp(browser, control, phoneOf(turn))
    const route = { agentCode: agent.code, centerCode: center?.code ?? '' }
    const reported = await order(browser, userId, route, promised)
    await control.replay(reported.orderId, 'success')
    const awb = await untilBilled(browser, reported)
    await agent.browser.load(recordHandover, { body: { awb } })
    reported.isHandedOver = true
  }

  async function walk(index: number): Promise<void> {
    while (!hasEnded) await travel(index).catch(() => pause(restMs))
  }
  const walks = pools.flatMap((_, index) => Array.from({ length: walkersPerGateway }, () => walk(index)))
  return {
    promised,
    samples: samples as readonly (readonly Sample[])[],
    async end() {
      hasEnded = true
      await Promise.all(walks)
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}

async function playKill(pair: Pair, { samples }: Load, rebuilt: 'copied anew' | 'rewound'): Promise<Kill> {
  const beganAt = performance.now()
  await Promise.all(samples.map((own) => untilBack(own, beganAt)))
  const killedAt = performance.now()
  await pair.kill()
  await pair.promote()
  const promotedMs = performance.now() - killedAt
  const backAt = await Promise.all(samples.map((own) => untilBack(own, killedAt)))
  const failures = samples.flat().filter(({ dueAt, ms, failure }) => failure && dueAt + ms >= killedAt)
  await pair.bringBack(rebuilt)
  return { promotedMs, backMs: backAt.map((at) => at - killedAt), failures, rebuilt }
}

const checkoutLabel = `${checkout.method} ${checkout.path}`

/** When the first of several orders due since then was acknowledged, with no failure among or after them. */
const untilBack = (samples: readonly Sample[], since: number): Promise<number> =>
  eventually(() => {
    const inOrder = samples.filter(({ dueAt }) => dueAt >= since).toSorted((a, b) => a.dueAt - b.dueAt)
    const right = inOrder
      .slice(inOrder.findLastIndex(({ failure }) => failure) + 1)
      .filter(({ operation }) => operation === checkoutLabel)
    const [first] = right
    return first && right.length >= ordersInRow ? first.dueAt + first.ms : undefined
  }, patience)
