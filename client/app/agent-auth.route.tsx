import { useConfig } from '#client/entities/config/use-config.ts'
import { AgentAuthPage } from '#client/features/sessions/agent-auth.page.tsx'

export function AgentAuthRoute() {
  const config = useConfig()
  return <AgentAuthPage isDemo={config?.demo ?? false} contact={config?.contact} />
}
