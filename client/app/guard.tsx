import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useSessions } from '#client/features/sessions/sessions.state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import { type Area, accessTo } from './access.rules.ts'
import { Redirect } from './documents.tsx'

interface GuardProps {
  area: Area
  children: ReactNode
}

/** Lets only those see a page whom it is for; the others wait, are sent on, or are told that it cannot be known. */
export function Guard({ area, children }: GuardProps) {
  const { t } = useTranslation('shell')
  const { state, restore } = useSessions()
  const { pathname, search } = useLocation()
  const [query] = useSearchParams()
  const access = accessTo(area, state, pathname + search, query.get('next'))
  switch (access.kind) {
    case 'allow':
      return children
    case 'wait':
      return <Loading label={t('restoring')} />
    case 'unknown':
      return (
        <Page title={t('unknown.title')}>
          <FailureState problem={state.error} onRetry={restore} />
        </Page>
      )
    case 'redirect':
      return <Redirect to={access.to} />
  }
}

/** Hands over the user of a page inside `<Guard area="user">`. */
export function WithUser({ children }: { children: (user: User) => ReactNode }) {
  const { user } = useSessions().state
  return user === null ? null : children(user)
}

/** Hands over the agent of a page inside `<Guard area="agent">`. */
export function WithAgent({ children }: { children: (agent: Agent) => ReactNode }) {
  const { agent } = useSessions().state
  return agent === null ? null : children(agent)
}
