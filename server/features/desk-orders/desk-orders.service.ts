import { type AgentsDeps, createAgents } from './agents.service.ts'
import { createNumbers, type NumbersDeps } from './numbers.service.ts'
import { createOrderPage, type OrderPageDeps } from './order-page.service.ts'
import { createPeople, type PeopleDeps } from './people.service.ts'
import { createSearch, type SearchDeps } from './search.service.ts'
import { createWholeOrders, type WholeOrderDeps } from './whole-order.service.ts'

export type DeskOrdersDeps = SearchDeps &
  OrderPageDeps &
  WholeOrderDeps &
  Omit<PeopleDeps, 'readNumberChange'> &
  AgentsDeps &
  NumbersDeps

export type DeskOrdersService = ReturnType<typeof createDeskOrders>

/** Orders as the desk searches, lists and reads them. */
export function createDeskOrders(deps: DeskOrdersDeps) {
  const whole = createWholeOrders(deps)
  const numbers = createNumbers(deps)
  return {
    ...whole,
    ...createSearch(deps),
    ...createOrderPage(deps, whole),
    ...numbers,
    ...createPeople({ ...deps, ...numbers }),
    ...createAgents(deps),
  }
}
