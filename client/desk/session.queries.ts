import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { removeStored } from '#client/platform/browser-storage.ts'
import { call, isCallProblem, onUnauthorized } from '#client/platform/call.ts'
import { openDocument } from '#client/platform/document.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { deskHereCookie, readDeskSession, signOutOfDesk } from '#shared/desk/staff/staff.operations.ts'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import { cookieName } from '#shared/platform/cookie-name.ts'
import { deskPath } from '#shared/platform/pages.ts'

const key = operationKey(readDeskSession)

/** The shortest time between two requests for the session. Without it, a clock that is fast would cause endless requests. */
const shortestWaitMs = 15_000

/** `out`: this browser has had no session. `over`: its session has ended. */
export type DeskSession = StaffSession | 'out' | 'over'

/** Whether this browser has had a session. */
export function hasSignedIn(): boolean {
  const name = cookieName(window.location.origin, deskHereCookie)
  return document.cookie.split('; ').includes(`${name}=1`)
}

async function readSession(signal: AbortSignal): Promise<DeskSession> {
  if (!hasSignedIn()) return 'out'
  try {
    return (await call(readDeskSession, { signal })).staff
  } catch (error) {
    if (isCallProblem(error) && error.status === 401) return 'over'
    throw error
  }
}

/** The session. It is requested again when it should have ended, when a call was refused, and at a return to the page. */
export function useDeskSession() {
  const queries = useQueryClient()
  useEffect(
    () =>
      onUnauthorized(() => {
        // A refusal of the session request itself does not start another one.
        if (queries.isFetching({ queryKey: key }) === 0) void queries.invalidateQueries({ queryKey: key })
      }),
    [queries],
  )
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readSession(signal),
    refetchInterval: ({ state: { data } }) =>
      typeof data === 'object' ? Math.max(shortestWaitMs, Date.parse(data.idleUntil) - Date.now()) : false,
  })
}

/** Ends the session here, then at the company's sign-in if that has a page for it. */
export function useSignOut() {
  return useSingleMutation({
    mutationFn: () => call(signOutOfDesk, { body: {} }),
    onSuccess: ({ endSessionUrl }) => {
      removeStored('deskDrafts')
      openDocument(endSessionUrl ?? deskPath)
    },
  })
}
