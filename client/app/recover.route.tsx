import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { RecoverPage } from '#client/features/sessions/recover.page.tsx'
import { paths } from '#client/platform/paths.ts'
import { useSession } from '#client/session/session.ts'
import { ownPath } from './access.rules.ts'
import { Redirect } from './documents.tsx'

/** Also for users who are still signed in: a session may last longer than the SIM. */
export function RecoverRoute() {
  const { role } = useSession()
  const [query] = useSearchParams()
  const [isMoved, setIsMoved] = useState(false)
  if (isMoved && role === 'user') return <Redirect to={ownPath(query.get('next')) ?? paths.orders} />
  return <RecoverPage onMoved={() => setIsMoved(true)} />
}
