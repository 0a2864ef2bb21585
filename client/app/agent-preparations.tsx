import { type ReactNode, useEffect } from 'react'
import { countWaiting } from '#client/entities/handover/outbox.ts'
import { useOutbox } from '#client/entities/handover/use-outbox.ts'
import { UnsentWarning } from './unsent-warning.tsx'
import { keepScanner } from './worker.ts'

/** On every page of a signed-in agent: sends what waits, and prepares the scanner for use without a network. */
export function AgentPreparations({ agentId }: { readonly agentId: number }) {
  useOutbox(agentId)
  useEffect(() => void keepScanner(), [])
  return null
}

interface Leaving {
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** What an agent is asked before signing out; null when no confirmation waits. */
export async function unsentWarning(agentId: number, actions: Leaving): Promise<ReactNode> {
  const count = await countWaiting(agentId)
  return count === 0 ? null : <UnsentWarning count={count} {...actions} />
}
