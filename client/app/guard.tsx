import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useSessions } from '#client/features/sessions/sessions.state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import { accessTo, type PageAccess } from './access.rules.ts'
import { Redirect } from './documents.tsx'

interface GuardProps {
  access: PageAccess
  children: ReactNode
}

/** Shows a page to those with access, else a spinner, a redirect, or a failure with a retry button. */
export function Guard({ access, children }: GuardProps) {
  const { t } = useTranslation('shell')
  const { state, restore } = useSessions()
  const { pathname, search } = useLocation()
  const [query] = useSearchParams()
  const decision = accessTo(access, state, pathname + search, query.get('next'))
  switch (decision.kind) {
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
      return <Redirect to={decision.to} />
  }
}

/** Passes on the signed-in user. Inside `<Guard access="user">`. */
export function WithUser({ children }: { children: (user: User) => ReactNode }) {
  const { user } = useSessions().state
  return user === null ? null : children(user)
}

/** Passes on the signed-in agent. Inside `<Guard access="agent">`. */
export function WithAgent({ children }: { children: (agent: Agent) => ReactNode }) {
  const { agent } = useSessions().state
  return agent === null ? null : children(agent)
}
