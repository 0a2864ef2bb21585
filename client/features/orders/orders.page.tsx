import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isCallProblem } from '#client/platform/call.ts'
import { openDocument, useRevived } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { OrderCard } from '#client/ui/order-card.tsx'
import { Page } from '#client/ui/page.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { reopenPayment, userOrdersQuery } from './orders.queries.ts'
import './orders.css'
import './orders.texts.ts'
import '#client/ui/buttons.css'

/** While an airway bill is being issued the list looks again by itself; the partner needs seconds, seldom more. */
const lookEveryMs = 20_000

export function OrdersPage({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('orders')
  return (
    <Page title={t('title')} width="table">
      <OrderList userId={userId} />
    </Page>
  )
}

function OrderList({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('orders')
  const list = useInfiniteQuery({
    ...userOrdersQuery(userId),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.orders.some(isBeingIssued)) ? lookEveryMs : false,
  })

  if (list.isPending) return <Loading label={t('loading')} />
  if (!list.data) {
    return <FailureState title={t('failed')} problem={list.error} onRetry={() => void list.refetch()} />
  }

  const orders = list.data.pages.flatMap((page) => page.orders)
  if (orders.length === 0) {
    return (
      <EmptyState
        title={t('empty.title')}
        text={t('empty.text')}
        action={
          <Link className="button button-primary" to={paths.booking}>
            {t('empty.book')}
          </Link>
        }
      />
    )
  }
  return (
    <>
      <ul className="orders">
        {orders.map((order) => (
          <li key={order.orderId}>
            <OrderCard order={order}>
              {order.status === 'PENDING_PAYMENT' ? <PayNow orderId={order.orderId} /> : null}
            </OrderCard>
          </li>
        ))}
      </ul>
      {list.isFetchNextPageError ? (
        <FailureState title={t('failed')} problem={list.error} onRetry={() => void list.fetchNextPage()} />
      ) : null}
      {list.hasNextPage && !list.isFetchNextPageError ? (
        <button
          type="button"
          className="button orders-more"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {list.isFetchingNextPage ? t('loadingMore') : t('more')}
        </button>
      ) : null}
    </>
  )
}

function isBeingIssued(order: Order): boolean {
  return order.status === 'PAID' && order.bookings.some((booking) => booking.awb === null)
}

function PayNow({ orderId }: { readonly orderId: number }) {
  const { t } = useTranslation('orders')
  const reopen = useMutation({
    mutationFn: () => reopenPayment(orderId),
    onSuccess: (payment) => openDocument(paths.payment(payment)),
  })
  useRevived(reopen.reset)
  const isBusy = reopen.isPending || reopen.isSuccess
  return (
    <div className="order-pay">
      {isCallProblem(reopen.error) ? (
        <p className="order-problem" role="alert">
          {reopen.error.message}
        </p>
      ) : null}
      <button
        type="button"
        className="button button-primary"
        disabled={isBusy}
        onClick={() => reopen.mutate()}
      >
        {isBusy ? t('opening') : t('payNow')}
      </button>
    </div>
  )
}
