import { AgentScanPage } from '#client/features/handovers/agent-scan.page.tsx'
import { useAgentId } from './guard.tsx'

export function AgentScanRoute() {
  const agentId = useAgentId()
  return agentId === undefined ? null : <AgentScanPage agentId={agentId} />
}
