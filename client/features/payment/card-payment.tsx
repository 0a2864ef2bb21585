import type { TFunction } from 'i18next'
import { useLayoutEffect, useRef } from 'react'
import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { BagPass } from '#client/entities/purchase/bag-pass.tsx'
import { CardMarks, HelpLine, SellerFacts, TotalPrice } from '#client/entities/purchase/purchase-facts.tsx'
import { reloadDocument } from '#client/platform/document.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useSession } from '#client/session/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { takeFocus } from '#client/ui/focus.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import pageStyles from '#client/ui/page.module.css'
import textStyles from '#client/ui/text.module.css'
import type { OpenedPayment, Order } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { halalasOf } from '#shared/platform/money.ts'
import styles from './payment.module.css'
import { Alert, AlertNote, Expired } from './payment-alert.tsx'
import { type CardWidget, containerId, type PaymentNotice, useCardWidget } from './use-card-widget.ts'

/** The provider's card form for an order the server has confirmed, and the outcome of each attempt. */
export function CardPayment({ opened }: { readonly opened: OpenedPayment }) {
  const { t } = useTranslation('payment')
  const { widget, contact } = useLoadedConfig()
  const card = useCardWidget(opened, widget)
  const { order, notice, isExpired } = card
  return (
    <>
      <div>
        {isExpired ? (
          <Expired />
        ) : (
          <div className={styles.marks}>
            <CardMarks />
          </div>
        )}
        {isExpired || notice === undefined ? null : <Notice key={notice.id} notice={notice} />}
        <CardForm {...card} />
        {isExpired ? null : <PaymentLead />}
        <PaidOrder orderId={opened.orderId} order={order} />
        <SellerFacts />
        <HelpLine phone={contact.phone} />
        {/* `href`: only a new document drops the content policy that allows the provider's script. */}
        {isExpired ? null : (
          <ButtonLink look="quiet" href={paths.checkout}>
            {t('backToReview')}
          </ButtonLink>
        )}
      </div>
      <div className={pageStyles.side}>
        <div className={pageStyles.onlyBeside}>
          <div className={`${layout.stack} ${layout.gap4}`}>
            <OrderPass order={order} />
            <OrderTotal order={order} />
          </div>
        </div>
      </div>
    </>
  )
}

function PaymentLead() {
  const { t } = useTranslation('payment')
  const { provider } = useLoadedConfig().purchase
  const language = useLanguage()
  return (
    <p className={classes(layout.line, layout.gap2, textStyles.hint, styles.lead)}>
      <Icon name="lock" />
      <span>{t('lead', { provider: provider[language] })}</span>
    </p>
  )
}

function CardForm({ state, formKey, wasReplaced, isExpired, isPaying, isLeaving }: CardWidget) {
  const { t } = useTranslation('payment')
  const hasFailed = state === 'failed' || state === 'no-container'
  const isShown = !isExpired && (state === 'loading' || state === 'ready')
  return (
    <>
      {hasFailed && !isExpired ? (
        <Alert
          title={t('formFailed')}
          // The secret was replaced after a refusal: a charge may have succeeded nevertheless.
          text={wasReplaced ? t('outcome.unclear') : t('widgetFailedHelp')}
        >
          <p className={styles.cause}>
            {state === 'no-container' ? t('missingContainer') : t('widgetFailed')}
          </p>
          <NewDocumentButton />
        </Alert>
      ) : null}
      {/* Hidden, not unmounted, when the order expires: a charge under way must be able to finish. */}
      <div className={styles.frame} hidden={!isShown}>
        {state === 'loading' ? <Loading label={t('loading')} /> : null}
        {/* Filled by the provider's script; React renders no children here. A new secret gets a new element, because the
            script cannot be removed from one it has used. */}
        <div key={formKey} id={containerId} className={styles.widget} />
      </div>
      <p className={styles.status} role="status">
        {isLeaving ? t('confirming') : isPaying && isShown ? t('bankWaits') : null}
      </p>
      {isShown && !isPaying && !isLeaving ? (
        <p className={`${textStyles.hint} ${styles.quiet}`}>{t('bankAsks')}</p>
      ) : null}
    </>
  )
}

/** Browsers remember a module that failed and do not load it again in the same document. */
function NewDocumentButton() {
  const { t } = useTranslation('payment')
  return <Button onClick={reloadDocument}>{t('retry')}</Button>
}

/** Renders no bag until the order is read. */
function OrderPass({ order }: { readonly order: Order | undefined }) {
  const receiver = useSession().user?.name ?? null
  const legs = order?.bookings ?? []
  const last = legs.at(-1)
  if (last === undefined) return null
  return (
    <BagPass origins={legs.map(({ origin }) => origin)} destination={last.destination} receiver={receiver} />
  )
}

interface PaidOrderProps {
  readonly orderId: number
  /** `undefined` until the order is read. */
  readonly order: Order | undefined
}

/** Number and destination of the order. The price stands in the provider's button. */
function PaidOrder({ orderId, order }: PaidOrderProps) {
  const { t } = useTranslation('payment')
  const language = useLanguage()
  const city = order?.bookings.at(-1)?.destination.city
  return (
    <p className={classes(layout.cluster, layout.gap2, textStyles.hint)}>
      <span>{t('order')}</span> <OrderNumber orderId={orderId} />
      {city === undefined ? null : <span>{t('toCity', { city: cityName(city, language) })}</span>}
    </p>
  )
}

/** Renders nothing for an order whose price is not known. */
function OrderTotal({ order }: Pick<PaidOrderProps, 'order'>) {
  const { t } = useTranslation('payment')
  const halalas = order?.amount === undefined ? undefined : halalasOf(order.amount)
  return halalas === undefined ? null : <TotalPrice name={t('total')} halalas={halalas} />
}

function noticeText(t: TFunction<'payment'>, { kind, reason, message }: PaymentNotice): string {
  if (reason !== undefined) return t(`declined.${reason}`)
  return message === undefined ? t(`outcome.${kind}`) : t('declinedBecause', { reason: message })
}

/** The outcome of a payment. The provider's widget shows no message when a callback is set, so the page shows it. */
function Notice({ notice }: { readonly notice: PaymentNotice }) {
  const { kind, problem } = notice
  const { t } = useTranslation('payment')
  const alert = useRef<HTMLDivElement>(null)
  const replacesForm = kind !== 'declined' && kind !== 'unclear'
  // A layout effect runs before the alert is painted, so that the alert never appears outside the viewport.
  useLayoutEffect(() => {
    // The pressed button is at the end of a long form. Older browsers and jsdom lack scrollIntoView.
    alert.current?.scrollIntoView?.({ block: 'nearest' })
    // The focused button was removed together with its form.
    if (replacesForm) takeFocus(alert.current)
  }, [replacesForm])
  return (
    <AlertNote ref={alert} tabIndex={-1}>
      <p>{noticeText(t, notice)}</p>
      {problem === undefined ? null : (
        <>
          <p>{problem}</p>
          <NewDocumentButton />
        </>
      )}
    </AlertNote>
  )
}
