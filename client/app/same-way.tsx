import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { isRefusal, orderQuery } from '#client/entities/order/kept-orders.queries.ts'
import { agentsQuery, centersQuery } from '#client/entities/partner/partner.queries.ts'
import { useStops } from '#client/entities/stop/use-stops.ts'
import { againSourceOf, wayOf } from '#client/features/booking/again.rules.ts'
import { useBooking } from '#client/features/booking/booking.state.tsx'
import { isOrderNumber } from '#client/features/payment/payment.rules.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import { withAgainProblems } from './again-problems.ts'

/**
 * Fills the draft with the way of an order and shows its review; where the way cannot be booked as it was, the booking
 * page with the reasons. The address is replaced, so that Back and a reload do not fill it again.
 */
export function SameWay({ orderKey }: { readonly orderKey: string }) {
  const { t } = useTranslation('checkout')
  const { dispatch } = useBooking()
  const navigate = useNavigate()
  const { enabledTypes, stops } = useLoadedConfig()
  const findStop = useStops(stops)
  const isNumber = isOrderNumber(orderKey)
  const order = useQuery({ ...orderQuery(orderKey), enabled: isNumber })
  const centers = useQuery(centersQuery)
  const agents = useQuery(agentsQuery)
  const isUnknown = !isNumber || (order.isError && isRefusal(order.error) && order.error.status !== 401)
  const isKnown = order.data !== undefined && centers.data !== undefined && agents.data !== undefined
  const isReady = isUnknown || (isKnown && !order.isFetching)
  const failed = [order, centers, agents].filter((query) => query.isError && query.data === undefined)

  const fillIn = useEffectEvent(() => {
    if (isUnknown) return toBooking(['unknown'])
    if (!order.data || !centers.data || !agents.data) return
    const offer = {
      enabledTypes,
      centers: centers.data.centers,
      agents: agents.data.agents,
      stopOf: findStop,
    }
    const { orderId, status } = order.data.order
    // The draft may have become the paid order: another bag needs a new order.
    if (status === 'PAID') dispatch({ type: 'concluded', orderId })
    const { draft, problems } = wayOf(order.data.order, offer)
    dispatch({ type: 'again', way: draft, source: againSourceOf(order.data) })
    if (problems.length === 0) void navigate(paths.checkout, { replace: true })
    else toBooking(problems)
  })
  const toBooking = (problems: Parameters<typeof withAgainProblems>[0]) =>
    void navigate(paths.booking, { replace: true, state: withAgainProblems(problems) })
  useEffect(() => {
    if (isReady) fillIn()
  }, [isReady])

  const [firstFailed] = isReady ? [] : failed
  return (
    <Page title={t('title')} width="columns">
      {firstFailed === undefined ? (
        <Loading label={t('loading')} outline="route" />
      ) : (
        <div>
          <FailureState
            title={t('againFailed')}
            problem={firstFailed.error}
            onRetry={() => {
              for (const query of failed) void query.refetch()
            }}
          />
          <ButtonLink look="quiet" to={paths.booking}>
            {t('againByHand')}
          </ButtonLink>
        </div>
      )}
    </Page>
  )
}
