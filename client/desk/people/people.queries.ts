import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import {
  askNumber,
  endPersonSessions,
  readDeskPerson,
  unlockDeskPerson,
} from '#shared/desk/orders/people.operations.ts'
import { keyed } from '../sending.ts'

/** Each page view is recorded, so nothing is read again without the operator's request. */
export function useDeskPerson(userId: string) {
  return useQuery({
    queryKey: operationKey(readDeskPerson, { userId }),
    queryFn: async ({ signal }) => (await call(readDeskPerson, { params: { userId }, signal })).person,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

export function usePersonRefresh(userId: number) {
  const queries = useQueryClient()
  const queryKey = operationKey(readDeskPerson, { userId: String(userId) })
  return () => void queries.invalidateQueries({ queryKey })
}

const because = (userId: number, reason: string, key: string) => ({
  params: { userId: String(userId) },
  headers: keyed(key),
  body: { reason },
})

export const unlock = (...of: Parameters<typeof because>) => call(unlockDeskPerson, because(...of))
export const endSessions = (...of: Parameters<typeof because>) => call(endPersonSessions, because(...of))

export const moveNumber = (userId: number, phone: string, reason: string, key: string) =>
  call(askNumber, { params: { userId: String(userId) }, headers: keyed(key), body: { phone, reason } })
