import { type AgentsDeps, createAgents } from './agents.service.ts'
import { createOrderPage, type OrderPageDeps } from './order-page.service.ts'
import { createPeople, type PeopleDeps } from './people.service.ts'
import { createSearch, type SearchDeps } from './search.service.ts'
import { createWholeOrders, type WholeOrderDeps } from './whole-order.service.ts'

export type DeskOrdersDeps = SearchDeps & OrderPageDeps & WholeOrderDeps & PeopleDeps & AgentsDeps

export type DeskOrdersService = ReturnType<typeof createDeskOrders>

/** Orders as the desk searches, lists and reads them. */
export function createDeskOrders(deps: DeskOrdersDeps) {
  const whole = createWholeOrders(deps)
  return {
    ...whole,
    ...createSearch(deps),
    ...createOrderPage(deps, whole),
    ...createPeople(deps),
    ...createAgents(deps),
  }
}
