import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { SessionsProvider } from '#client/features/sessions/sessions.state.tsx'
import { createQueryClient } from '#client/platform/query-client.ts'
import { AppRoutes } from './router.tsx'

/** What every page stands on. The controls of antd come later, with the first page that needs them. */
export function Providers() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <SessionsProvider>
        {/* The plain router, not the one with loaders: 15 kB less on the way to the home page. Without transitions,
            so that a page that still loads shows a spinner instead of leaving the old page standing. */}
        <BrowserRouter useTransitions={false}>
          <AppRoutes />
        </BrowserRouter>
      </SessionsProvider>
    </QueryClientProvider>
  )
}
