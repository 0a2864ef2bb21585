import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { orderQuery } from '#client/entities/order/kept-orders.queries.ts'
import { isCallProblem } from '#client/platform/call.ts'
import { replaceDocument } from '#client/platform/document.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import { CardPayment } from './card-payment.tsx'
import { openingQuery } from './payment.queries.ts'
import { type Credentials, isOrderKey, isSettled, readCredentials } from './payment.rules.ts'
import { Alert, Expired } from './payment-alert.tsx'

export function PaymentPage() {
  const { t } = useTranslation('payment')
  const [query] = useSearchParams()
  const credentials = readCredentials(query)
  return (
    <Page title={t('title')} width="columns">
      <JourneySteps current="pay" />
      {credentials === undefined ? (
        <div>
          <Alert text={t('missingCredentials')}>
            <ButtonLink href={paths.booking}>{t('backToBooking')}</ButtonLink>
          </Alert>
        </div>
      ) : isOrderKey(credentials.orderId) ? (
        <CheckedPayment
          key={`${credentials.orderId} ${credentials.clientSecret}`}
          credentials={credentials}
        />
      ) : (
        <div>
          <LinkRefused />
        </div>
      )}
    </Page>
  )
}

/**
 * Anyone can craft the address of this page. The page shows nothing of the address, and loads no provider script, until the
 * server has confirmed the order and the secret. The widget then gets the server's values, never those in the address.
 */
function CheckedPayment({ credentials }: { readonly credentials: Credentials }) {
  const { t } = useTranslation('payment')
  const opening = useQuery(openingQuery(credentials))
  if (opening.data) return <CardPayment opened={opening.data} />
  const problem = isCallProblem(opening.error) ? opening.error : undefined
  return (
    <div>
      {opening.isPending ? (
        <Loading label={t('checking')} />
      ) : problem?.code === 'ORDER_NOT_PAYABLE' ? (
        <NotPayable orderKey={credentials.orderId} />
      ) : problem && [400, 404, 409].includes(problem.status) ? (
        <LinkRefused />
      ) : (
        <FailureState problem={opening.error} onRetry={() => void opening.refetch()} />
      )}
    </div>
  )
}

/** The text does not reveal whether the order exists or who owns it. */
function LinkRefused() {
  const { t } = useTranslation('payment')
  return (
    <Alert title={t('linkRefused.title')} text={t('linkRefused.text')}>
      <NextPages />
    </Alert>
  )
}

function NextPages() {
  const { t } = useTranslation('payment')
  return (
    <div className={`${layout.cluster} ${layout.gap3}`}>
      <ButtonLink look="primary" href={paths.orders}>
        {t('toOrders')}
      </ButtonLink>
      <ButtonLink href={paths.booking}>{t('backToBooking')}</ButtonLink>
    </div>
  )
}

/** The user's own order, which accepts no payment: the result page shows its state. */
function NotPayable({ orderKey }: { readonly orderKey: string }) {
  const { t } = useTranslation('payment')
  const order = useQuery(orderQuery(orderKey))
  const settled = order.data && isSettled(order.data.order) ? order.data.order.orderId : undefined
  useEffect(() => {
    if (settled !== undefined) replaceDocument(paths.thankYou({ success: true, merchantOrderId: settled }))
  }, [settled])

  if (order.isPending || settled !== undefined) return <Loading label={t('confirming')} />
  if (order.data?.order.status === 'EXPIRED') return <Expired />
  return (
    <Alert title={t('notPayable.title')} text={t('notPayable.text')}>
      <NextPages />
    </Alert>
  )
}
