import { useKeptBagsEnd } from '#client/entities/handover/kept-bags.ts'
import { AgentScanPage } from '#client/features/handovers/agent-scan.page.tsx'
import { useAgentId } from './guard.tsx'

export function AgentScanRoute() {
  const agentId = useAgentId()
  return agentId === undefined ? null : <AgentScan agentId={agentId} />
}

function AgentScan({ agentId }: { readonly agentId: number }) {
  useKeptBagsEnd(agentId)
  return <AgentScanPage agentId={agentId} />
}
