import { useQueryClient } from '@tanstack/react-query'
import { replaceDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { holdSession } from '#client/session/session.ts'
import { wipeStorage } from '#client/session/session.wipe.ts'

/** Loads the home page after the server has ended the session, and wipes the data of the person on this browser. */
export function useLeave(): () => void {
  const client = useQueryClient()
  return () => {
    // Hold the session: a guard would redirect to the sign-in page before the home page is loaded.
    holdSession(client)
    wipeStorage()
    replaceDocument(paths.home)
  }
}
