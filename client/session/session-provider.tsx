import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { sessionQuery } from './session.query.ts'
import { SharedAnswer } from './session.ts'

/** Surrounds the app. All components read the session here, so that no two parts of the screen show different sessions. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  // `useSession` starts the query. React renders the answer in slices and handles presses and scrolls between them.
  const answer = useDeferredValue(useQuery({ ...sessionQuery, enabled: false }).data)
  return <SharedAnswer value={answer}>{children}</SharedAnswer>
}
