import type { Page } from 'playwright-core'
import { checkout } from '#shared/checkout/checkout.api.ts'
import { listAgents, listCenters } from '#shared/partner/partner.api.ts'
import type { ResponseOf } from '#shared/platform/operation.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import type { Route } from './steps.ts'

/** A branch in Riyadh, which has several, and the first agent, or the one with this phone. */
export async function firstRoute(page: Page, agentPhone?: string): Promise<Route> {
  const [{ agents }, { centers }] = (await page.evaluate(
    (paths) => Promise.all(paths.map(async (path) => (await fetch(path)).json())),
    [listAgents.path, listCenters.path],
  )) as [ResponseOf<typeof listAgents>, ResponseOf<typeof listCenters>]
  const agent = agents.find(
    ({ phone }) => agentPhone === undefined || phone.replace(/\s/g, '') === agentPhone,
  )
  const center = centers.find(({ city }) => city === 'Riyadh')
  if (agent === undefined || center === undefined) throw new Error('the route is not on offer')
  return { agent, center }
}

/** An unpaid order of the person signed in, on the first route, without the screens that lead to it. */
export async function startOrder(page: Page, agentPhone?: string): Promise<ResponseOf<typeof checkout>> {
  const { agent, center } = await firstRoute(page, agentPhone)
  return page.evaluate(
    async ({ session, path, order }) => {
      const { userId } = await (await fetch(session)).json()
      const started = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...order, userId }),
      })
      return started.json()
    },
    {
      session: readUserSession.path,
      path: checkout.path,
      order: {
        type: 'FROM_MINA',
        noOfPackages: 1,
        agentCode: agent.id,
        centerCode: center.code,
        amount: 50,
      },
    },
  )
}
