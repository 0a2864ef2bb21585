import { AgentOrdersPage } from '#client/features/agent-orders/agent-orders.page.tsx'
import { ScanLink } from './scan-link.tsx'

/** The agent's list with the way to the scanner; a chunk of its own. Features do not import each other. */
export function AgentOrdersWithScan({ agentId }: { readonly agentId: number }) {
  return <AgentOrdersPage agentId={agentId} scan={<ScanLink />} />
}
