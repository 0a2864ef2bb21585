import type { Request } from './connection.ts'
import {
  checkoutRequest,
  type FilledDeployment,
  listRequest,
  routesOf,
  startFilledDeployment,
} from './filled-deployment.ts'
import type { LineResult } from './jobs.ts'
import { median, summaryOf } from './numbers.ts'
import { ask, type Bench, type Row } from './row.ts'
import { figure } from './table.ts'

const listsPerRound = 40
export const checkoutsPerRound = 10

/** Order list and checkout with many stored orders against the same with few, alternating. */
export async function storedRows(
  bench: Bench,
  small: FilledDeployment,
  size: number | undefined,
): Promise<{ rows: Row[]; details: unknown }> {
  const { options, say, faults } = bench
  if (size === undefined) return { rows: [], details: undefined }
  const large = await startFilledDeployment(
    { engine: small.engine, size, users: 2 + options.rounds * checkoutsPerRound },
    say,
  )
  try {
    const times = new Map(
      [small, large].map((deployment) => [deployment, { list: [] as number[], checkout: [] as number[] }]),
    )
    const line = async (deployment: FilledDeployment, requests: readonly Request[]) => {
      const result = await ask<LineResult>(bench, {
        kind: 'line',
        url: deployment.gatewayUrls[0] ?? '',
        requests,
      })
      if (result.failure !== undefined) faults.push(result.failure)
      return result.times
    }
    for (const deployment of [small, large])
      await line(deployment, deployment.users.slice(0, listsPerRound).map(listRequest))
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [deployment, { list, checkout }] of times) {
        const routes = routesOf(deployment.lists)
        const some = (from: number, count: number) =>
          Array.from(
            { length: count },
            (_, index) => deployment.users[(from + index) % deployment.users.length],
          ).filter((user) => user !== undefined)
        list.push(...(await line(deployment, some(round * listsPerRound, listsPerRound).map(listRequest))))
        // Each user once, because unpaid orders per user are limited.
        const buyers = deployment.users.slice(round * checkoutsPerRound, (round + 1) * checkoutsPerRound)
        const requests = buyers.flatMap((user, index) => {
          const route = routes[index % routes.length]
          return route ? [checkoutRequest(user, route)] : []
        })
        checkout.push(...(await line(deployment, requests)))
      }
    }
    const rows = (['list', 'checkout'] as const).map((key): Row => {
      const few = median(times.get(small)?.[key] ?? [])
      const many = median(times.get(large)?.[key] ?? [])
      return {
        what: `${key === 'list' ? 'order list' : 'checkout'} at ${large.size} orders`,
        unit: 'ms',
        gateway: many,
        baseline: few,
        baselineIs: `at ${small.size} orders`,
        measure: many / few,
        floor: 1.5,
        goal: 1.1,
        isMoreBetter: false,
        note: `slowest ${figure(summaryOf(times.get(large)?.[key] ?? []).slowest)} against ${figure(summaryOf(times.get(small)?.[key] ?? []).slowest)} ms`,
      }
    })
    return { rows, details: [...times.values()] }
  } finally {
    await large.close()
  }
}
