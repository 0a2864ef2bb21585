import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isMoving } from '#client/entities/order/order-card.rules.ts'
import { OrderCard } from '#client/entities/order/order-card.tsx'
import { usePayAgain } from '#client/entities/order/pay-again.ts'
import { paths } from '#client/platform/paths.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import { userOrdersQuery } from './orders.queries.ts'
import './orders.css'
import './orders.texts.ts'
import '#client/ui/buttons.css'

/** While an airway bill is being issued or a refund is pending. */
const pollIntervalMs = 20_000

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
      state.data?.pages.some((page) => page.orders.some(isMoving)) ? pollIntervalMs : false,
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
            <OrderCard order={order} onLabel={() => void list.refetch()}>
              {order.payable ? <PayNow orderId={order.orderId} /> : null}
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

function PayNow({ orderId }: { readonly orderId: number }) {
  const { t } = useTranslation('orders')
  const { pay, isBusy, problem } = usePayAgain(orderId)
  return (
    <div className="order-pay">
      {problem === undefined ? null : (
        <p className="order-problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" className="button button-primary" disabled={isBusy} onClick={pay}>
        {isBusy ? t('opening') : t('payNow')}
      </button>
    </div>
  )
}
