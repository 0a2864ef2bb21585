import { QueryClient } from '@tanstack/react-query'
import { isCallProblem } from './call.ts'

/** Only what may pass by itself is worth asking again; a refusal stays a refusal. */
function mayPassByItself(error: unknown): boolean {
  return isCallProblem(error) && (error.status === 0 || error.status >= 500)
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // 'always': the default waits in silence while offline; people get the failure and a button instead.
        networkMode: 'always',
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && mayPassByItself(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
