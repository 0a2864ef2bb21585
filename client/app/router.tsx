import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, Route, Routes, useNavigate, useSearchParams } from 'react-router-dom'
import { BookingProvider, useBooking } from '#client/features/booking/booking.state.tsx'
import { HomePage } from '#client/features/home/home.page.tsx'
import { useSessions } from '#client/features/sessions/sessions.state.tsx'
import { openDocument } from '#client/platform/document.ts'
import { paths, routePatterns } from '#client/platform/paths.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import type { PublicConfig } from '#shared/config/config.operations.ts'
import { configQuery } from './config.queries.ts'
import { PaymentDocument } from './documents.tsx'
import { Guard, WithAgent, WithUser } from './guard.tsx'
import { NotFoundPage } from './not-found.page.tsx'
import {
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

const Controls = lazy(async () => ({ default: (await import('./controls.tsx')).Controls }))

/** The table of contents of the app: which path shows what, and for whom. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route path={routePatterns.home} element={<HomeRoute />} />
        <Route path={routePatterns.privacyPolicy} element={<PrivacyPolicyRoute />} />
        <Route element={<WithControls />}>
          <Route path={routePatterns.auth} element={<AuthRoute />} />
          <Route path={routePatterns.agentAuth} element={<AgentAuthRoute />} />
          <Route element={<UserArea />}>
            <Route path={routePatterns.booking} element={<BookingRoute />} />
            <Route path={routePatterns.checkout} element={<CheckoutRoute />} />
            <Route path={routePatterns.payment} element={<PaymentRoute />} />
            <Route path={routePatterns.thankYou} element={<ThankYouRoute />} />
            <Route path={routePatterns.orders} element={<OrdersRoute />} />
          </Route>
          <Route path={routePatterns.agentOrders} element={<AgentOrdersRoute />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  )
}

/** antd is heavy, so it comes with the first page that has controls. */
function WithControls() {
  return (
    <Controls>
      <Outlet />
    </Controls>
  )
}

function UserArea() {
  return (
    <Guard area="user">
      <BookingProvider>
        <Outlet />
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

function useIsDemo(): boolean {
  return useQuery(configQuery).data?.demo ?? false
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
  const isDemo = useIsDemo()
  return (
    <Guard area="user-sign-in">
      <AuthPage isDemo={isDemo} />
    </Guard>
  )
}

function AgentAuthRoute() {
  const isDemo = useIsDemo()
  return (
    <Guard area="agent-sign-in">
      <AgentAuthPage isDemo={isDemo} />
    </Guard>
  )
}

function BookingRoute() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  // Whoever is here again has gone back, by whatever way.
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
  const { draft } = useBooking().state
  const navigate = useNavigate()
  const goToBooking = useCallback(() => void navigate(paths.booking, { replace: true }), [navigate])
  return (
    <WithUser>
      {(user) => (
        <WithConfig>
          {({ fare, maxWeightKg }) => (
            <CheckoutPage
              draft={draft}
              userId={user.id}
              fare={fare}
              maxWeightKg={maxWeightKg}
              onMissing={goToBooking}
              onStarted={(payment) => openDocument(paths.payment(payment))}
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
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  const [query] = useSearchParams()

  function leave(): void {
    // The draft has become an order. After a failed payment it stays, so that nothing has to be chosen again.
    const isOrdered = query.get('success') === 'true' && state.draft.agentCode !== null
    if (isOrdered) dispatch({ type: 'completed' })
    void navigate(paths.booking)
  }

  return <ThankYouPage onClose={leave} onBookAgain={leave} />
}

function OrdersRoute() {
  return <WithUser>{(user) => <OrdersPage userId={user.id} />}</WithUser>
}

function AgentOrdersRoute() {
  return (
    <Guard area="agent">
      <WithAgent>{(agent) => <AgentOrdersPage agentId={agent.id} />}</WithAgent>
    </Guard>
  )
}
