import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { SessionsProvider } from '#client/features/sessions/sessions.state.tsx'
import { createQueryClient } from '#client/platform/query-client.ts'
import { AppRoutes } from './router.tsx'

/** The providers of every page. antd's loads with the first page that has controls. */
export function Providers() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <SessionsProvider>
        {/* The plain router is 15 kB smaller than the one with loaders. Without transitions a page that is loading shows a
            spinner instead of the previous page. */}
        <BrowserRouter useTransitions={false}>
          <AppRoutes />
        </BrowserRouter>
      </SessionsProvider>
    </QueryClientProvider>
  )
}
