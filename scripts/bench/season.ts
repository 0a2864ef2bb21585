import { sessionCookiesFor } from '#server/features/sessions/sessions.service.ts'
import type { Engine, EngineParts } from '#server/platform/database/database.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { Request } from './client.ts'
import { fillSeason, listAgentRows, listPaidOrders, openSessions, ordersOfFrequent } from './fill.store.ts'
import { checkoutBody, type Route } from './journey.ts'
import { type Deployment, type PostgresServer, publicUrl, startDeployment } from './processes.ts'

export interface Lists {
  readonly agents: readonly PartnerAgent[]
  readonly centers: readonly Center[]
}

export async function readLists({ gatewayUrls: [url] }: Deployment): Promise<Lists> {
  const of = async (kind: string) => (await fetch(`${url}/api/partner/${kind}`)).json()
  const [{ agents }, { centers }] = await Promise.all([of('agents'), of('centers')])
  return { agents, centers }
}

/** Several routes, so that requests do not all read the same rows. */
export function routesOf({ agents, centers }: Lists): Route[] {
  return centers.slice(0, 40).map(({ code }, index) => ({
    agentCode: agents[index % agents.length]?.id ?? '',
    centerCode: code,
  }))
}

/** A signed-in user or agent of the filled season. */
export interface SignedIn {
  readonly id: number
  readonly headers: Readonly<Record<string, string>>
}

/** A deployment whose database holds a season of orders, with signed-in users and an agent. */
export interface FilledDeployment extends Deployment {
  readonly size: number
  readonly lists: Lists
  /** Users with one or two orders, each used for one checkout at most. */
  readonly users: readonly (SignedIn & { readonly orderId: number; readonly awb: string })[]
  /** Users with many settled orders. */
  readonly frequent: readonly SignedIn[]
  /** The agent with the most orders. */
  readonly agent: SignedIn & { readonly orders: number }
  readonly fillSeconds: number
}

export async function startFilledDeployment(
  options: { engine: Engine; postgres?: PostgresServer | undefined; size: number; users: number },
  say: (line: string) => void,
): Promise<FilledDeployment> {
  const deployment = await startDeployment(options)
  try {
    const lists = await readLists(deployment)
    await deployment.stopGateways()
    const parts = deployment.openDatabase()
    const filled = await fill(parts, options, lists, say).finally(() => parts.kysely.destroy())
    await deployment.startGateways()
    return { ...deployment, size: options.size, lists, ...filled }
  } catch (error) {
    await deployment.close().catch(() => undefined)
    throw error
  }
}

async function fill(
  parts: EngineParts,
  { size, users }: { size: number; users: number },
  lists: Lists,
  say: (line: string) => void,
): Promise<Pick<FilledDeployment, 'users' | 'frequent' | 'agent' | 'fillSeconds'>> {
  const startedAt = performance.now()
  const now = Date.now()
  const { frequentUsers } = await fillSeason(parts, { orders: size, ...lists, now }, (orders) => {
    if (orders % 200_000 === 0) say(`  ${parts.engine}: ${orders} orders`)
  })
  const fillSeconds = (performance.now() - startedAt) / 1_000
  const middle = Math.max(frequentUsers.length * ordersOfFrequent, Math.floor(size / 2) - users * 2)
  const paid = await listPaidOrders(parts, middle, users)
  const [busiest] = await listAgentRows(parts)
  if (!busiest) throw new Error('no agent has an order')
  const cookie = sessionCookiesFor(publicUrl).session
  const signIn = async (role: 'user' | 'agent', ids: readonly number[]): Promise<SignedIn[]> => {
    const tokens = await openSessions(parts, role, ids, now)
    return ids.map((id, index) => ({
      id,
      headers: {
        'sec-fetch-site': 'same-origin',
        'accept-encoding': 'br, gzip',
        cookie: `${cookie}=${tokens[index]}`,
      },
    }))
  }
  const signedIn = await signIn(
    'user',
    paid.map(({ userId }) => userId),
  )
  const [agent] = (await signIn('agent', [busiest.id])) as [SignedIn]
  return {
    users: paid.map(({ id, awb }, index) => ({ ...(signedIn[index] as SignedIn), orderId: id, awb })),
    frequent: await signIn('user', frequentUsers),
    agent: { ...agent, orders: busiest.orders },
    fillSeconds,
  }
}

export const listRequest = ({ id, headers }: SignedIn): Request => ({
  method: 'GET',
  path: listUserOrders.path.replace(':userId', String(id)),
  headers,
})

export const checkoutRequest = ({ id, headers }: SignedIn, route: Route): Request => ({
  method: 'POST',
  path: checkout.path,
  headers,
  body: JSON.stringify(checkoutBody(id, route)),
})
