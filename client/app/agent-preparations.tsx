import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { keepAllBags } from '#client/entities/handover/all-bags.queries.ts'
import { countWaiting } from '#client/entities/handover/outbox.ts'
import { useOutbox } from '#client/entities/handover/use-outbox.ts'
import { UnsentWarning } from './unsent-warning.tsx'
import { keepScanner } from './worker.ts'

/** What is kept of the agent's bags is as old as this at most, while there is a network and the page is shown. */
const keepEveryMs = 10 * 60_000

/** On every page of a signed-in agent: sends waiting confirmations, and prepares list and scanner for use without a network. */
export function AgentPreparations({ agentId }: { readonly agentId: number }) {
  useOutbox(agentId)
  useQuery({
    queryKey: ['kept-bags', agentId],
    queryFn: ({ signal }) => keepAllBags(agentId, signal).then(() => Date.now()),
    refetchInterval: keepEveryMs,
    staleTime: keepEveryMs,
    retry: false,
  })
  useEffect(() => void keepScanner(), [])
  return null
}

interface Leaving {
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** The question to an agent before the sign-out; null when no confirmation waits. */
export async function unsentWarning(agentId: number, actions: Leaving): Promise<ReactNode> {
  const count = await countWaiting(agentId)
  return count === 0 ? null : <UnsentWarning count={count} {...actions} />
}
