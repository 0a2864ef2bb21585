import { Outlet, Route, Routes, useParams } from 'react-router-dom'
import { useConfig } from '#client/entities/config/use-config.ts'
import { routePatterns } from '#client/platform/paths.ts'
import { useSession } from '#client/session/session.ts'
import { OwnDocument } from './documents.tsx'
import { Guard, WithAgent, WithAgentId } from './guard.tsx'
import { useLeave } from './leave.ts'
import { PageBoundary } from './page-failure.tsx'
import {
  AccountPage,
  AgentAuthPage,
  AgentOrdersPage,
  AgentScanPage,
  AuthPage,
  BookingRoute,
  CheckoutRoute,
  Controls,
  HomePage,
  NotFoundPage,
  OrderRoute,
  OrdersRoute,
  PaymentRoute,
  PrivacyPolicyPage,
  ThankYouRoute,
  TrackPage,
  UserPages,
} from './pages.ts'
import { Shell } from './shell.tsx'

/** All routes, with the access policy of each page. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route element={<PlainPages />}>
          <Route path={routePatterns.home} element={<HomeRoute />} />
          <Route path={routePatterns.privacyPolicy} element={<PrivacyPolicyRoute />} />
          <Route path="*" element={<NotFoundPage />} />
          <Route path={routePatterns.auth} element={<AuthRoute />} />
          <Route path={routePatterns.agentAuth} element={<AgentAuthRoute />} />
          <Route path={routePatterns.track} element={<TrackRoute />} />
          <Route path={routePatterns.agentOrders} element={<AgentOrdersRoute />} />
          <Route path={routePatterns.agentScan} element={<AgentScanRoute />} />
          <Route element={<UserPages />}>
            <Route path={routePatterns.booking} element={<BookingRoute />} />
            <Route path={routePatterns.checkout} element={<CheckoutRoute />} />
            <Route path={routePatterns.payment} element={<PaymentRoute />} />
            <Route path={routePatterns.thankYou} element={<ThankYouRoute />} />
            <Route path={routePatterns.orders} element={<OrdersRoute />} />
            <Route path={routePatterns.order} element={<OrderRoute />} />
          </Route>
        </Route>
        <Route element={<WithControls />}>
          <Route path={routePatterns.account} element={<AccountRoute />} />
        </Route>
      </Route>
    </Routes>
  )
}

/** Pages without antd. */
function PlainPages() {
  return (
    <PageBoundary>
      <Outlet />
    </PageBoundary>
  )
}

function WithControls() {
  return (
    <Controls>
      <PageBoundary>
        <Outlet />
      </PageBoundary>
    </Controls>
  )
}

function useSignInConfig() {
  const config = useConfig()
  return { isDemo: config?.demo ?? false, contact: config?.contact }
}

function HomeRoute() {
  const { role } = useSession()
  return <HomePage role={role} />
}

function PrivacyPolicyRoute() {
  return <PrivacyPolicyPage contact={useConfig()?.contact} />
}

function TrackRoute() {
  const { token = '' } = useParams()
  // Remounted for another link, so that nothing of the one before is shown.
  return <TrackPage key={token} token={token} />
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

function AccountRoute() {
  const { user, agent } = useSession()
  const leave = useLeave()
  const person = user ?? agent
  return (
    <Guard access="account">
      {person === null ? null : (
        <AccountPage
          // Remounted for another person, so that no data of the previous one is shown.
          key={user === null ? `agent ${person.id}` : `user ${person.id}`}
          isAgent={user === null}
          onEnded={() => void leave()}
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

function AgentScanRoute() {
  return (
    <OwnDocument kind="scan">
      <Guard access="agent">
        <WithAgentId>{(agentId) => <AgentScanPage key={agentId} agentId={agentId} />}</WithAgentId>
      </Guard>
    </OwnDocument>
  )
}
