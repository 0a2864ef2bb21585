import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from '#client/platform/live.ts'
import { listAgentOrders, readAgentEvents, readOrder } from '#shared/orders/orders.operations.ts'

/** Bags come in bursts, and searches are limited to thirty a minute. */
const gatherMs = 2_500

/** Reads again what is shown of the agent's orders when one of them changes. @returns whether changes are told. */
export function useAgentEvents(agentId: number): boolean {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const readAt = useRef(Number.NEGATIVE_INFINITY)

  function read(): void {
    timer.current = undefined
    readAt.current = performance.now()
    for (const { method, path } of [listAgentOrders, readOrder])
      void client.invalidateQueries({ queryKey: [method, path] })
  }
  const readSoon = () => {
    timer.current ??= setTimeout(read, Math.max(0, readAt.current + gatherMs - performance.now()))
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  // What changed before it was open is not told.
  return useLive(readAgentEvents, { agentId: String(agentId) }, { onOpen: readSoon, onEvent: readSoon })
}
