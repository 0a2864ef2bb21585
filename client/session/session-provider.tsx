import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { sessionQuery } from './session.query.ts'
import { SharedAnswer } from './session.ts'

/** Around the app. All that shows the session has it from here, so that no two parts of the screen show different ones. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  // Asked for by `useSession`. Rendered in slices, between which a press or a scroll is answered.
  const answer = useDeferredValue(useQuery({ ...sessionQuery, enabled: false }).data)
  return <SharedAnswer value={answer}>{children}</SharedAnswer>
}
