import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useSessions } from '#client/features/sessions/sessions.state.tsx'
import { replaceDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { crossesDocuments } from './documents.tsx'

/** Ends the session and goes home. Phones are shared: neither orders nor a half-made booking may greet the next person. */
export function useLeave(): () => Promise<void> {
  const { logout } = useSessions()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return useCallback(async () => {
    await logout(() => {
      if (crossesDocuments(pathname, paths.home)) replaceDocument(paths.home)
      else void navigate(paths.home)
    })
    queryClient.clear()
    clearTabStorage()
  }, [logout, queryClient, navigate, pathname])
}

function clearTabStorage(): void {
  try {
    sessionStorage.clear()
  } catch {
    return
  }
}
