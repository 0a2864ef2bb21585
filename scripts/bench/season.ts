import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sessionCookiesFor } from '#server/features/sessions/sessions.rules.ts'
import type { EngineParts } from '#server/platform/database/database.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { cookieName } from '#shared/platform/cookie-name.ts'
import type { Request } from './client.ts'
import {
  type Deployment,
  type DeploymentOptions,
  type Lists,
  publicUrl,
  startDeployment,
} from './deployment.ts'
import {
  fillSeason,
  fillWork,
  findBusiestAgent,
  listPaidOrders,
  openSessions,
  openStaffSessions,
  ordersOfFrequent,
} from './fill.store.ts'
import { checkoutBody, type Route } from './journey.ts'
import { say } from './report.ts'

/** Several routes, so that requests do not all read the same rows. */
export function routesOf({ agents, centers }: Lists): Route[] {
  return centers.slice(0, 40).map(({ code }, index) => ({
    agentCode: agents[index % agents.length]?.id ?? '',
    centerCode: code,
  }))
}

export interface SignedIn {
  readonly id: number
  readonly headers: Readonly<Record<string, string>>
}

interface People {
  readonly users: readonly (SignedIn & { readonly orderId: number; readonly awb: string })[]
  readonly frequent: readonly SignedIn[]
  readonly agent: SignedIn & { readonly orders: number }
  readonly staff: readonly Pick<SignedIn, 'headers'>[]
}

export interface FilledDeployment extends Deployment, People {
  readonly size: number
  readonly routes: readonly Route[]
  readonly fillSeconds: number
}

interface Season {
  readonly size: number
  readonly users: number
  readonly staff?: number
  readonly waiting?: number
}

export async function startFilledDeployment(options: Season & DeploymentOptions): Promise<FilledDeployment> {
  const deployment = await startDeployment(options)
  const { lists } = deployment
  try {
    await deployment.stopGateways()
    const startedAt = performance.now()
    const parts = deployment.openDatabase()
    const people = await fill(parts, { ...options, issuer: `${deployment.mockUrl}/identity` }, lists).finally(
      () => parts.kysely.destroy(),
    )
    // Flushes the fill to the disk before the measurement: a write would wait for it.
    await promisify(execFile)('sync')
    const fillSeconds = (performance.now() - startedAt) / 1_000
    await deployment.startGateways()
    return { ...deployment, ...people, size: options.size, routes: routesOf(lists), fillSeconds }
  } catch (error) {
    await deployment.close().catch(() => undefined)
    throw error
  }
}

async function fill(
  parts: EngineParts,
  { size, users, staff = 8, waiting = 0, issuer }: Season & { readonly issuer: string },
  lists: Lists,
): Promise<People> {
  const now = Date.now()
  const frequentUsers = await fillSeason(parts, { orders: size, ...lists, now }, (orders) => {
    if (orders % 200_000 === 0) say(`  ${parts.engine}: ${orders} orders`)
  })
  if (waiting > 0) await fillWork(parts, waiting, now)
  const middle = Math.max(frequentUsers.length * ordersOfFrequent, Math.floor(size / 2) - users * 2)
  const paid = await listPaidOrders(parts, middle, users)
  const busiest = await findBusiestAgent(parts)
  const { session: cookie, binding } = sessionCookiesFor(publicUrl)
  const signIn = async <P extends { readonly id: number }>(role: 'user' | 'agent', people: readonly P[]) => {
    const tokens = await openSessions(
      parts,
      role,
      people.map(({ id }) => id),
      now,
    )
    return people.map((person, index) => ({
      ...person,
      headers: {
        'sec-fetch-site': 'same-origin',
        'accept-encoding': 'br, gzip',
        cookie: `${cookie}=${tokens[index]}; ${binding}=${tokens[index]}`,
      },
    }))
  }
  const [agent] = await signIn('agent', [busiest])
  if (!agent) throw new Error('no agent has an order')
  return {
    users: await signIn('user', paid),
    frequent: await signIn(
      'user',
      frequentUsers.map((id) => ({ id })),
    ),
    agent,
    staff: (await openStaffSessions(parts, issuer, staff, now)).map((token) => ({
      headers: { 'sec-fetch-site': 'same-origin', cookie: `${cookieName(publicUrl, 'desk')}=${token}` },
    })),
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
