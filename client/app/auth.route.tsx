import { useConfig } from '#client/entities/config/use-config.ts'
import { AuthPage } from '#client/features/sessions/auth.page.tsx'

export function AuthRoute() {
  const config = useConfig()
  return <AuthPage isDemo={config?.demo ?? false} contact={config?.contact} />
}
