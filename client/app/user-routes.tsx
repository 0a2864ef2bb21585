import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { BookingProvider, useBooking } from '#client/features/booking/booking.state.tsx'
import { priceOf } from '#client/features/checkout/checkout.rules.ts'
import { openDocument } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { useSession } from '#client/session/session.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import type { PublicConfig } from '#shared/config/config.operations.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { OwnDocument } from './documents.tsx'
import { Guard, WithUser, WithUserId } from './guard.tsx'
import { PageBoundary } from './page-failure.tsx'
import { usePreconnect } from './preconnect.ts'
import { BookingPage, CheckoutPage, OrderPage, OrdersPage, PaymentPage, ThankYouPage } from './user-pages.ts'

/*
 * The routes of users, in a chunk of their own: who only reads the start page does not load booking and its rules.
 */

/** The layout of all users' routes. */
export function UserPages() {
  return (
    <Guard access="user">
      <WithUserId>
        {(userId) => (
          // Remounted for another user, signed in on another tab: that user starts without a draft.
          <BookingProvider key={userId}>
            <PageBoundary>
              <Outlet />
            </PageBoundary>
          </BookingProvider>
        )}
      </WithUserId>
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

export function BookingRoute() {
  const { state, dispatch } = useBooking()
  const receiverName = useSession().user?.name ?? null
  const navigate = useNavigate()
  // Mounting this page again means that the user navigated back.
  useEffect(() => dispatch({ type: 'stepped-back' }), [dispatch])
  const city = useSearchParams()[0].get('city')
  useEffect(() => {
    if (city === null) return
    if (cityCode(city) !== undefined) dispatch({ type: 'changed', change: { toCity: city } })
    // Without the query, so that a reload does not undo a later choice.
    void navigate(paths.booking, { replace: true })
  }, [city, dispatch, navigate])
  return (
    <WithConfig>
      {({ enabledTypes, fare, maxWeightKg, purchase }) => (
        <BookingPage
          draft={state.draft}
          enabledTypes={enabledTypes}
          totalHalalas={priceOf(state.draft.type, fare).totalHalalas}
          maxWeightKg={maxWeightKg}
          receiverName={receiverName}
          seller={purchase.seller}
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

export function CheckoutRoute() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  const goToBooking = useCallback(() => void navigate(paths.booking, { replace: true }), [navigate])
  return (
    <WithUser>
      {(user) => (
        <WithConfig>
          {({ fare, maxWeightKg, purchase, contact, widget }) => (
            <>
              <Preconnect to={widget.script} />
              <CheckoutPage
                draft={state.draft}
                orderKey={state.order?.key}
                earlierOrderId={state.earlierOrderId}
                onOrderKey={(key) => dispatch({ type: 'ordering', key })}
                userId={user.id}
                fare={fare}
                maxWeightKg={maxWeightKg}
                purchase={purchase}
                helpPhone={contact.phone}
                receiverName={user.name}
                onMissing={goToBooking}
                onStarted={(payment) => {
                  dispatch({ type: 'ordered', orderId: payment.orderId })
                  openDocument(paths.payment(payment))
                }}
              />
            </>
          )}
        </WithConfig>
      )}
    </WithUser>
  )
}

function Preconnect({ to }: { to: string }) {
  usePreconnect(to)
  return null
}

export function PaymentRoute() {
  const receiverName = useSession().user?.name ?? null
  return (
    <OwnDocument kind="payment">
      <WithConfig>
        {({ widget, maxWeightKg, purchase, contact }) => (
          <PaymentPage
            widget={widget}
            maxWeightKg={maxWeightKg}
            purchase={purchase}
            helpPhone={contact.phone}
            receiverName={receiverName}
          />
        )}
      </WithConfig>
    </OwnDocument>
  )
}

export function ThankYouRoute() {
  const { maxWeightKg, onPaid, leave } = useOrderView()
  return <ThankYouPage maxWeightKg={maxWeightKg} onPaid={onPaid} onClose={leave} onBookAgain={leave} />
}

export function OrderRoute() {
  const { maxWeightKg, onPaid, leave } = useOrderView()
  const { id } = useParams()
  return <OrderPage key={id} orderId={id} maxWeightKg={maxWeightKg} onPaid={onPaid} onBookAgain={leave} />
}

/** What both pages of one order need of booking and configuration; they do not wait for the configuration. */
function useOrderView() {
  const maxWeightKg = useQuery(configQuery).data?.maxWeightKg
  const { dispatch } = useBooking()
  const navigate = useNavigate()
  const onPaid = useCallback((orderId: number) => dispatch({ type: 'concluded', orderId }), [dispatch])

  function leave({ orderId, status }: { readonly orderId: number; readonly status: string }): void {
    // The draft became an order. If that expired, the draft stays, so that nothing has to be chosen again.
    if (status !== 'EXPIRED') dispatch({ type: 'concluded', orderId })
    void navigate(paths.booking)
  }

  return { maxWeightKg, onPaid, leave }
}

export function OrdersRoute() {
  return <WithUserId>{(userId) => <OrdersPage userId={userId} />}</WithUserId>
}
