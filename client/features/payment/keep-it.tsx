import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId } from 'react'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { useHoursNow } from '#client/entities/location/branch-hours.tsx'
import { isValidBag } from '#client/entities/order/order-card.rules.ts'
import { useHoursOf } from '#client/entities/partner/partner.queries.ts'
import { readPushSupport } from '#client/entities/push/browser-push.ts'
import { usePush } from '#client/entities/push/push.queries.ts'
import { PushRow } from '#client/entities/push/push-row.tsx'
import { isAppleBrowserTab, isAppleMobile } from '#client/platform/apple.ts'
import { call } from '#client/platform/call.ts'
import { openDocument, useBfcacheRestore, useIsShown } from '#client/platform/document.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useInstallOffer } from '#client/platform/install-offer.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Row } from '#client/ui/row.tsx'
import textStyles from '#client/ui/text.module.css'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { readCalendar, readWalletLink } from '#shared/passes/passes.operations.ts'
import { visitOf } from '#shared/passes/visits.rules.ts'
import styles from './keep-it.module.css'

interface KeepItProps {
  readonly order: Order
}

/** Ways to keep the barcodes of a paid order at hand. Shown while the order has a barcode. */
export function KeepIt({ order }: KeepItProps) {
  return order.bookings.some(isToShow) ? <KeepRows order={order} /> : null
}

const isToShow = (booking: Booking) =>
  booking.awb !== null && booking.state !== 'COLLECTED' && isValidBag(booking)

/** The ways that this browser supports, folded in one row. Renders nothing when it supports none of them. */
function KeepRows({ order }: KeepItProps) {
  const { t } = useTranslation('keep')
  const rows = [useInstallRow(), useNewsRow(), useWalletRows(order), useCalendarRow(order)]
  if (rows.every((row) => row === null)) return null
  return (
    <details className={styles.keep} data-screen>
      <summary className={textStyles.unfold}>{t('title')}</summary>
      {rows}
    </details>
  )
}

/** Installs the app by the browser's own offer, or explains how to add it by hand. */
function useInstallRow(): ReactNode {
  const { t } = useTranslation('keep')
  const install = useInstallOffer()
  if (install === undefined && !isAppleBrowserTab()) return null
  return (
    <NamedRow key="install" title={t('install.title')} text={t(install ? 'install.text' : 'install.byHand')}>
      {install === undefined ? null : (
        <Button look="quiet" onClick={install}>
          {t('install.action')}
        </Button>
      )}
    </NamedRow>
  )
}

/** Offers push messages only when they can be turned on here. The account page explains every other obstacle. */
function useNewsRow(): ReactNode {
  const isOffered = readPushSupport() === 'offered'
  const push = usePush(isOffered)
  return isOffered && push ? <PushRow key="news" isOver={false} /> : null
}

/** One row for each bag: a wallet keeps each barcode separately. */
function useWalletRows({ orderId, bookings }: Order): ReactNode {
  const { t } = useTranslation('keep')
  const { t: ofPayment } = useTranslation('payment')
  const { data } = useQuery(configQuery)
  // The wallet has no app on this device. An older gateway sends no `wallets`; the page must still show the barcode.
  if (isAppleMobile() || !data?.wallets?.includes('google')) return null
  const total = bookings.length
  const rows = bookings.flatMap((booking, index) =>
    booking.awb === null || !isToShow(booking)
      ? []
      : [
          <WalletRow
            key={booking.awb}
            orderId={orderId}
            awb={booking.awb}
            title={
              total === 1
                ? t('wallet.title')
                : `${t('wallet.title')} · ${ofPayment('thankYou.leg', { number: index + 1, total })}`
            }
          />,
        ],
  )
  return rows.length === 0 ? null : rows
}

interface WalletRowProps {
  readonly orderId: number
  readonly awb: string
  readonly title: string
}

function WalletRow({ orderId, awb, title }: WalletRowProps) {
  const { t } = useTranslation('keep')
  const save = useSingleMutation({
    mutationFn: () => call(readWalletLink, { params: { id: String(orderId), awb } }),
    onSuccess: ({ url }) => openDocument(url),
  })
  useBfcacheRestore(save.reset)
  // The phone may open the address in the wallet's app, without leaving this page.
  useShownAgain(() => {
    if (save.isSuccess) save.reset()
  })
  const isBusy = save.isPending || save.isSuccess
  return (
    <NamedRow title={title} text={t('wallet.text')} problem={save.error}>
      <Button look="quiet" isBusy={isBusy} onClick={() => save.mutate()}>
        {t(isBusy ? 'wallet.opening' : 'wallet.action')}
      </Button>
    </NamedRow>
  )
}

/** Runs when the page is shown again after it was hidden. */
function useShownAgain(onShown: () => void): void {
  const isShown = useIsShown()
  const run = useEffectEvent(onShown)
  useEffect(() => {
    if (isShown) run()
  }, [isShown])
}

/** Offers a calendar entry while the order has a known time. */
function useCalendarRow({ orderId, type, bookings, centerCode }: Order): ReactNode {
  const { t } = useTranslation('keep')
  const hours = useHoursOf(centerCode)
  const now = useHoursNow()
  const hasVisit = legsOf(type).some((leg, index) => visitOf(bookings[index]?.state ?? null, leg, hours, now))
  if (!hasVisit) return null
  return (
    <NamedRow key="calendar" title={t('calendar.title')} text={t('calendar.text')}>
      <ButtonLink look="quiet" href={operationHref(readCalendar, { id: orderId })} download>
        {t('calendar.action')}
      </ButtonLink>
    </NamedRow>
  )
}

interface NamedRowProps extends Omit<ComponentProps<typeof Row>, 'name'> {
  readonly title: string
}

/** A row with an accessible name, because the rows of several bags have the same texts on their buttons. */
function NamedRow({ title, ...rest }: NamedRowProps) {
  const titleId = useId()
  return (
    <Row
      {...rest}
      role="group"
      aria-labelledby={titleId}
      name={
        <p id={titleId}>
          <b>{title}</b>
        </p>
      }
    />
  )
}
