import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import { useScanAgent } from '#client/entities/handover/scan-agent.ts'
import { useKeptOwner } from '#client/entities/order/kept-orders.ts'
import { paths } from '#client/platform/paths.ts'
import { useAfter } from '#client/platform/time.ts'
import { restore, useSession } from '#client/session/session.ts'
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

/** After this wait the last agent may scan while the session is still being checked. */
const slowAfterMs = 4_000

/** Shows a page to those with access, else a spinner, a redirect, or a failure with a retry button. */
export function Guard({ access, children }: GuardProps) {
  const { t } = useTranslation('shell')
  const session = useSession()
  const client = useQueryClient()
  const isSlow = useAfter(slowAfterMs, session.isRestoring)
  const hasKeptOrders = useKeptOwner().hasOrders
  const hasScanAgent = useScanAgent() !== undefined
  const { pathname, search } = useLocation()
  const [query] = useSearchParams()
  const decision = accessTo(access, session, pathname + search, query.get('next'), {
    hasKeptOrders,
    hasScanAgent,
    isSlow,
  })
  switch (decision.kind) {
    case 'allow':
    case 'kept':
      return children
    case 'wait':
      return <Loading label={t('restoring')} />
    case 'unknown':
      return (
        <Page title={t('unknown.title')}>
          <FailureState problem={session.error} onRetry={() => restore(client)} />
          {hasKeptOrders ? (
            <p className="guard-kept">
              <Link className="button" to={paths.orders}>
                {t('keptOrders')}
              </Link>
            </p>
          ) : null}
        </Page>
      )
    case 'redirect':
      return <Redirect to={decision.to} />
  }
}

/** Passes on the id of the signed-in user, or of the one whose orders are kept. Inside `<Guard access="user">`. */
export function WithUserId({ children }: { children: (userId: number) => ReactNode }) {
  const { user } = useSession()
  const keptOwner = useKeptOwner().userId
  const userId = user?.id ?? keptOwner
  return userId === undefined ? null : children(userId)
}

/** Passes on the signed-in user. Inside `<Guard access="user">`. */
export function WithUser({ children }: { children: (user: User) => ReactNode }) {
  const { user } = useSession()
  return user === null ? null : children(user)
}

/** Passes on the signed-in agent. Inside `<Guard access="agent">`. */
export function WithAgent({ children }: { children: (agent: Agent) => ReactNode }) {
  const { agent } = useSession()
  return agent === null ? null : children(agent)
}

/** Passes on the id of the signed-in agent, or of the one the server confirmed last. Inside `<Guard access="agent">`. */
export function WithAgentId({ children }: { children: (agentId: number) => ReactNode }) {
  const { agent } = useSession()
  const known = useScanAgent()
  const agentId = agent?.id ?? known
  return agentId === undefined ? null : children(agentId)
}
