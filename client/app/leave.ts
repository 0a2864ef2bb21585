import { useQueryClient } from '@tanstack/react-query'
import { replaceDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { holdSession } from '#client/session/session.ts'
import { wipeStorage } from '#client/session/session.wipe.ts'

/** Loads the home page after the server has ended the session, and wipes what this browser holds of the person. */
export function useLeave(): () => void {
  const client = useQueryClient()
  return () => {
    // A guard that saw the session end would redirect to the sign-in page before the home page has come.
    holdSession(client)
    wipeStorage()
    replaceDocument(paths.home)
  }
}
