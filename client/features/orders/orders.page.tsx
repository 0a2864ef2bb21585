import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { journeysOf } from '#client/entities/order/journeys.rules.ts'
import { KeptNote } from '#client/entities/order/kept-note.tsx'
import { keptBy, unansweredPollMs, userOrdersQuery } from '#client/entities/order/kept-orders.queries.ts'
import { isChanging } from '#client/entities/order/order-card.rules.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { keepInstallOffer } from '#client/platform/install-offer.ts'
import { paths } from '#client/platform/paths.ts'
import { isTransient } from '#client/platform/query-client.ts'
import { useUserId } from '#client/session/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { JourneyStub } from './journey-stub.tsx'
import { OrderStub, type StubProps } from './order-stub.tsx'
import styles from './orders.module.css'
import { byNeed, isOver, primaryJourney } from './orders.rules.ts'

/** The time between two readings while an airway bill is being issued or a refund is pending. */
const pollIntervalMs = 20_000

keepInstallOffer()

export function OrdersPage() {
  const { t } = useTranslation('orders')
  const userId = useUserId()
  return (
    <Page title={t('title')} width="table">
      {userId === undefined ? null : <OrderList userId={userId} />}
    </Page>
  )
}

function NoOrders() {
  const { t } = useTranslation('orders')
  return (
    <EmptyState
      title={t('empty.title')}
      text={t('empty.text')}
      action={
        <ButtonLink look="primary" to={paths.booking}>
          {t('empty.book')}
        </ButtonLink>
      }
    />
  )
}

function Stub({ journey, ...props }: StubProps & { readonly journey: readonly Order[] }) {
  const [order, ...others] = journey
  if (order === undefined || others.length > 0) return <JourneyStub journey={journey} {...props} />
  return <OrderStub order={order} {...props} />
}

function OrderList({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('orders')
  const list = useInfiniteQuery({
    ...userOrdersQuery(userId),
    refetchInterval: ({ state }) => {
      if (isTransient(state.error)) return unansweredPollMs
      return state.data?.pages.some((page) => page.orders.some(isChanging)) ? pollIntervalMs : false
    },
  })
  // React renders the list in slices, so that it reacts to a press or a scroll in between.
  const pages = useDeferredValue(list.data?.pages)
  const kept = keptBy(list, pages?.[0])
  if (pages === undefined && (list.isPending || list.data !== undefined))
    return <Loading label={t('loading')} outline="orders" />
  if (pages === undefined || kept === 'refused')
    return <FailureState title={t('failed')} problem={list.error} onRetry={() => void list.refetch()} />

  const journeys = byNeed(journeysOf(pages.flatMap((page) => page.orders)))
  if (journeys.length === 0) return <NoOrders />
  const primary = primaryJourney(journeys)
  const past = journeys.filter(isOver)
  const now = journeys.filter((journey) => !isOver(journey))
  const listOf = (members: readonly (readonly Order[])[]) => (
    <ul className={`${layout.grid} ${layout.gap3} ${styles.orders}`}>
      {members.map((journey) => (
        <li key={journey[0]?.orderId}>
          <Stub
            journey={journey}
            isPrimary={journey === primary}
            isCutOff={kept !== undefined}
            onChanged={() => void list.refetch()}
          />
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {kept === undefined ? null : <KeptNote {...kept} />}
      {now.length === 0 ? null : (
        <section>
          <h2 className={styles.group}>{t('now')}</h2>
          {listOf(now)}
        </section>
      )}
      {past.length === 0 ? null : (
        <details className={styles.past} open={now.length === 0}>
          <summary className={`${layout.split} ${styles.pastHead}`}>
            <h2 className={styles.group}>{t('past', { number: past.flat().length })}</h2>
            <Icon name="chevron" />
          </summary>
          {listOf(past)}
        </details>
      )}
      {list.isFetchNextPageError ? (
        <FailureState title={t('failed')} problem={list.error} onRetry={() => void list.fetchNextPage()} />
      ) : null}
      <div className={`${layout.cluster} ${layout.gap3} ${styles.end}`} data-screen>
        {list.hasNextPage && !list.isFetchNextPageError ? (
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {list.isFetchingNextPage ? t('loadingMore') : t('more')}
          </Button>
        ) : null}
        <ButtonLink icon="bag" to={paths.booking}>
          {t('book')}
        </ButtonLink>
      </div>
    </>
  )
}
