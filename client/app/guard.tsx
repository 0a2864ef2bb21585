import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useKeptOwner } from '#client/entities/order/kept-orders.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useAfter } from '#client/platform/time.ts'
import { waits } from '#client/platform/waits.ts'
import { restore, useAgentId, useScanAgent, useSession, useUserId } from '#client/session/session.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Page } from '#client/ui/page.tsx'
import { accessTo } from './access.rules.ts'
import { Redirect } from './documents.tsx'
import { KeptLink, NeedsConnection } from './kept-links.tsx'
import { PageWaiting } from './page-waiting.tsx'
import type { PageAccess } from './routes.ts'

interface GuardProps {
  access: PageAccess
  children: ReactNode
}

/** Shows a page to those with access, else a spinner, a redirect, or a failure with a retry button. */
export function Guard({ access, children }: GuardProps) {
  const { t } = useTranslation('shell')
  const session = useSession()
  const client = useQueryClient()
  const isOffline = useConnection() === 'offline'
  const isSlow = useAfter(waits.session, session.isRestoring)
  const hasKeptOrders = useKeptOwner().hasOrders
  const person = usePersonOf(access)
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
      return <Fragment key={person}>{children}</Fragment>
    case 'wait':
      return <PageWaiting label={t('restoring')} />
    case 'unknown':
      if (isOffline) return <NeedsConnection onRetry={() => restore(client)} />
      return (
        <Page title={t('unknown.title')}>
          <FailureState problem={session.error} onRetry={() => restore(client)} />
          <KeptLink />
        </Page>
      )
    case 'redirect':
      return <Redirect to={decision.to} />
  }
}

/** The key of the page's person. The page is remounted for another person, so that it shows nothing of the one before. */
function usePersonOf(access: PageAccess): string | undefined {
  const { user } = useSession()
  const userId = useUserId()
  const agentId = useAgentId()
  if (access === 'user') return `user ${userId}`
  if (access === 'agent') return `agent ${agentId}`
  if (access === 'account') return user === null ? `agent ${agentId}` : `user ${userId}`
  return undefined
}
