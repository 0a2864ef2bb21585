import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Outlet, Route, Routes, useNavigate } from 'react-router-dom'
import { BookingProvider, useBooking } from '#client/features/booking/booking.state.tsx'
import { HomePage } from '#client/features/home/home.page.tsx'
import { useSessions } from '#client/features/sessions/sessions.state.tsx'
import { whileWaiting } from '#client/platform/connection.ts'
import { openDocument } from '#client/platform/document.ts'
import { paths, routePatterns } from '#client/platform/paths.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import type { PublicConfig } from '#shared/config/config.operations.ts'
import { configQuery } from './config.queries.ts'
import { PaymentDocument } from './documents.tsx'
import { Guard, WithAgent, WithUser } from './guard.tsx'
import { lazyPart } from './lazy-part.ts'
import { useLeave } from './leave.ts'
import { NotFoundPage } from './not-found.page.tsx'
import { PageBoundary } from './page-failure.tsx'
import {
  AccountPage,
  AgentAuthPage,
  AgentOrdersPage,
  AuthPage,
  BookingPage,
  CheckoutPage,
  OrdersPage,
  PaymentPage,
  PrivacyPolicyPage,
  ThankYouPage,
} from './pages.ts'
import { Shell } from './shell.tsx'

const Controls = lazyPart(async () => (await whileWaiting(import('./controls.tsx'))).Controls)

/** All routes, with the access policy of each page. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route path={routePatterns.home} element={<HomeRoute />} />
        <Route path={routePatterns.privacyPolicy} element={<PrivacyPolicyRoute />} />
        <Route element={<WithControls />}>
          <Route path={routePatterns.auth} element={<AuthRoute />} />
          <Route path={routePatterns.agentAuth} element={<AgentAuthRoute />} />
          <Route element={<UserPages />}>
            <Route path={routePatterns.booking} element={<BookingRoute />} />
            <Route path={routePatterns.checkout} element={<CheckoutRoute />} />
            <Route path={routePatterns.payment} element={<PaymentRoute />} />
            <Route path={routePatterns.thankYou} element={<ThankYouRoute />} />
            <Route path={routePatterns.orders} element={<OrdersRoute />} />
          </Route>
          <Route path={routePatterns.agentOrders} element={<AgentOrdersRoute />} />
          <Route path={routePatterns.account} element={<AccountRoute />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  )
}

/** antd is large, so it loads with the first page that has controls. */
function WithControls() {
  return (
    <Controls>
      <PageBoundary>
        <Outlet />
      </PageBoundary>
    </Controls>
  )
}

function UserPages() {
  const { user } = useSessions().state
  return (
    <Guard access="user">
      {/* Remounted for another user, signed in on another tab: that user starts without a draft. */}
      <BookingProvider key={user?.id}>
        <PageBoundary>
          <Outlet />
        </PageBoundary>
      </BookingProvider>
    </Guard>
  )
}

function WithConfig({ children }: { children: (config: PublicConfig) => ReactNode }) {
  const { t } = useTranslation('shell')
  const config = useQuery(configQuery)
  if (config.data !== undefined) return children(config.data)
  if (!config.isError) return <Loading />
  return (
    <Page title={t('failure.title')}>
      <FailureState problem={config.error} onRetry={() => void config.refetch()} />
    </Page>
  )
}

/** The configuration for the sign-in pages, which do not wait for it. */
function useSignInConfig() {
  const config = useQuery(configQuery).data
  return { isDemo: config?.demo ?? false, contact: config?.contact }
}

function HomeRoute() {
  const { role } = useSessions().state
  return <HomePage role={role} />
}

function PrivacyPolicyRoute() {
  const contact = useQuery(configQuery).data?.contact
  return <PrivacyPolicyPage contact={contact} />
}

function AuthRoute() {
  const config = useSignInConfig()
  return (
    <Guard access="user-sign-in">
      <AuthPage {...config} />
    </Guard>
  )
}

function AgentAuthRoute() {
  const config = useSignInConfig()
  return (
    <Guard access="agent-sign-in">
      <AgentAuthPage {...config} />
    </Guard>
  )
}

function BookingRoute() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  // Mounting this page again means that the user navigated back.
  useEffect(() => dispatch({ type: 'stepped-back' }), [dispatch])
  return (
    <WithConfig>
      {({ enabledTypes }) => (
        <BookingPage
          draft={state.draft}
          enabledTypes={enabledTypes}
          onChange={(change) => dispatch({ type: 'changed', change })}
          onContinue={() => {
            dispatch({ type: 'stepped-forward' })
            void navigate(paths.checkout)
          }}
        />
      )}
    </WithConfig>
  )
}

function CheckoutRoute() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  const goToBooking = useCallback(() => void navigate(paths.booking, { replace: true }), [navigate])
  return (
    <WithUser>
      {(user) => (
        <WithConfig>
          {({ fare, maxWeightKg }) => (
            <CheckoutPage
              draft={state.draft}
              orderKey={state.order?.key}
              earlierOrderId={state.earlierOrderId}
              onOrderKey={(key) => dispatch({ type: 'ordering', key })}
              userId={user.id}
              fare={fare}
              maxWeightKg={maxWeightKg}
              onMissing={goToBooking}
              onStarted={(payment) => {
                // Synchronous: stored before this document is unloaded.
                flushSync(() => dispatch({ type: 'ordered', orderId: payment.orderId }))
                openDocument(paths.payment(payment))
              }}
            />
          )}
        </WithConfig>
      )}
    </WithUser>
  )
}

function PaymentRoute() {
  return (
    <PaymentDocument>
      <WithConfig>{({ widget }) => <PaymentPage widget={widget} />}</WithConfig>
    </PaymentDocument>
  )
}

function ThankYouRoute() {
  const { dispatch } = useBooking()
  const navigate = useNavigate()
  const onPaid = useCallback((orderId: number) => dispatch({ type: 'concluded', orderId }), [dispatch])

  function leave({ orderId, status }: { readonly orderId: number; readonly status: string }): void {
    // The draft became an order. If that expired, the draft stays, so that nothing has to be chosen again.
    if (status !== 'EXPIRED') dispatch({ type: 'concluded', orderId })
    void navigate(paths.booking)
  }

  return <ThankYouPage onPaid={onPaid} onClose={leave} onBookAgain={leave} />
}

function OrdersRoute() {
  return <WithUser>{(user) => <OrdersPage userId={user.id} />}</WithUser>
}

function AccountRoute() {
  const { user, agent } = useSessions().state
  const { leaveEnded } = useLeave()
  const person = user ?? agent
  return (
    <Guard access="account">
      {person === null ? null : (
        <AccountPage
          // Remounted for another person, so that no data of the previous one is shown.
          key={user === null ? `agent ${person.id}` : `user ${person.id}`}
          isAgent={user === null}
          onEnded={leaveEnded}
        />
      )}
    </Guard>
  )
}

function AgentOrdersRoute() {
  return (
    <Guard access="agent">
      <WithAgent>{(agent) => <AgentOrdersPage key={agent.id} agentId={agent.id} />}</WithAgent>
    </Guard>
  )
}
