import { useQueryClient } from '@tanstack/react-query'
import { useLive, useReadAgain } from '#client/platform/live.ts'
import { readAgain } from '#client/platform/query-client.ts'
import { listAgentOrders, readAgentEvents, readOrder } from '#shared/orders/orders.operations.ts'

/**
 * Milliseconds in which changes are gathered into one request: bags come in bursts, and searches are limited to thirty a minute.
 */
const gatherMs = 2_500

/** Reads the agent's orders on screen again when one of them changes. @returns true while the stream reports changes. */
export function useAgentEvents(agentId: number): boolean {
  const client = useQueryClient()
  const keys = [listAgentOrders, readOrder].map(({ method, path }) => [method, path])
  const onChange = useReadAgain(() => readAgain(client, ...keys), gatherMs)
  // The stream sends no notice of changes before it was open, so the page reads again when it opens.
  return useLive(readAgentEvents, { agentId: String(agentId) }, { onOpen: onChange, onEvent: onChange })
}
