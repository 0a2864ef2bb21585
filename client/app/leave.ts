import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useSessions } from '#client/features/sessions/sessions.state.tsx'
import { clearTabStorage } from '#client/platform/browser-storage.ts'
import { replaceDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { crossesDocuments } from './documents.tsx'

interface Leaving {
  /** Ends the session and goes to the home page. `false` when the server did not end it: nothing changes then. */
  readonly logout: () => Promise<boolean>
  /** Goes to the home page after the server has ended the session. */
  readonly leaveEnded: () => void
}

/** Signing out. Cached data and the tab's storage are cleared with the session, because phones are shared. */
export function useLeave(): Leaving {
  const { logout, leaveEnded } = useSessions()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return useMemo(() => {
    const goHome = () => {
      if (crossesDocuments(pathname, paths.home)) replaceDocument(paths.home)
      else void navigate(paths.home)
    }
    const clear = () => {
      queryClient.clear()
      clearTabStorage()
    }
    return {
      async logout() {
        const isDone = await logout(goHome)
        if (isDone) clear()
        return isDone
      },
      leaveEnded() {
        leaveEnded(goHome)
        clear()
      },
    }
  }, [logout, leaveEnded, queryClient, navigate, pathname])
}
