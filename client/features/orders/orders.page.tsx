import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isCallProblem } from '#client/platform/call.ts'
import { openDocument, useRevived } from '#client/platform/document.ts'
import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { paths } from '#client/platform/paths.ts'
import { LabelLink } from '#client/ui/awb.tsx'
import { CardTable } from '#client/ui/card-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { OrderNumber } from '#client/ui/order-number.tsx'
import { Page } from '#client/ui/page.tsx'
import { PlaceView } from '#client/ui/place.tsx'
import { StatusBadge } from '#client/ui/status-badge.tsx'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { reopenPayment, userOrdersQuery } from './orders.queries.ts'
import { knownStatus, missingAwb, toneOf } from './orders.rules.ts'
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
            <OrderCard order={order} />
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

function OrderCard({ order }: { readonly order: Order }) {
  const { t } = useTranslation('orders')
  const language = useLanguage()
  const titleId = useId()
  const status = knownStatus(order.status)
  return (
    <article className="order" aria-labelledby={titleId}>
      <header className="order-head">
        <h2 className="order-number" id={titleId}>
          <OrderNumber orderId={order.orderId} />
        </h2>
        <StatusBadge tone={toneOf(order.status)} text={status ? t(`status.${status}`) : order.status} />
        <span className="order-type">{t(`types.${order.type}`)}</span>
      </header>
      <dl className="order-facts">
        <div>
          <dt>{t('createdAt')}</dt>
          <dd>
            <time dateTime={order.creationDate}>{formatDateTime(order.creationDate, language)}</time>
          </dd>
        </div>
        {order.transactionId ? (
          <div>
            <dt>{t('transactionId')}</dt>
            <dd>
              <Ltr>{order.transactionId}</Ltr>
            </dd>
          </div>
        ) : null}
      </dl>
      <CardTable
        caption={t('columns.caption')}
        columns={[
          { name: t('columns.origin') },
          { name: t('columns.destination') },
          { name: t('columns.awb'), isNarrow: true },
          { name: t('columns.download'), isNarrow: true },
        ]}
        rows={order.bookings.map((booking, index) => ({
          key: String(index),
          cells: [
            <PlaceView key="origin" place={booking.origin} language={language} />,
            <PlaceView key="destination" place={booking.destination} language={language} />,
            <AwbCell key="awb" booking={booking} status={order.status} />,
            booking.awb === null ? null : (
              <LabelLink
                key="download"
                awb={booking.awb}
                href={operationHref(readLabelPdf, { awb: booking.awb }, { download: '1' })}
              />
            ),
          ],
        }))}
      />
      {order.status === 'PENDING_PAYMENT' ? <PayNow orderId={order.orderId} /> : null}
    </article>
  )
}

function AwbCell({ booking, status }: { readonly booking: Booking; readonly status: string }) {
  const { t } = useTranslation('orders')
  if (booking.awb === null) return <span className="order-no-awb">{t(`noAwb.${missingAwb(status)}`)}</span>
  return (
    <span className="order-awb">
      <Ltr>{booking.awb}</Ltr>
    </span>
  )
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
