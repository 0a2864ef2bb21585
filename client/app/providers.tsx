import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createQueryClient } from '#client/platform/query-client.ts'
import { SessionProvider } from '#client/session/session-provider.tsx'
import { AppBoundary } from './app-boundary.tsx'
import { Offline } from './offline.tsx'
import { AppRoutes } from './router.tsx'

/** The app inside `router`. */
export function Providers({ router: Router }: { router: (props: { children: ReactNode }) => ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <AppBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <Router>
            <Offline />
            <AppRoutes />
          </Router>
        </SessionProvider>
      </QueryClientProvider>
    </AppBoundary>
  )
}
