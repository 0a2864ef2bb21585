import { useQueryClient } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router-dom'
import { replaceDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { holdSession, signedOut } from '#client/session/session.ts'
import { wipeBrowser } from '#client/session/session.wipe.ts'
import { crossesDocuments } from './documents.tsx'
import { loadPage } from './pages.ts'

/** Goes to the home page after the server has ended the session, and wipes what this browser holds of the person. */
export function useLeave(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return async () => {
    holdSession(client)
    if (crossesDocuments(pathname, paths.home)) {
      wipeBrowser(client)
      return replaceDocument(paths.home)
    }
    await loadPage(paths.home)
    // First: a guard that saw the session end would redirect to the sign-in page.
    flushSync(() => void navigate(paths.home))
    signedOut(client)
  }
}
