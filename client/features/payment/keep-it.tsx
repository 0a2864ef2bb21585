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
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { readCalendar, readWalletLink } from '#shared/passes/passes.operations.ts'
import { visitOf } from '#shared/passes/visits.rules.ts'
import styles from './keep-it.module.css'

interface KeepItProps {
  readonly order: Order
}

/** How to keep the barcodes of a paid order at hand, while there is one to show. */
export function KeepIt({ order }: KeepItProps) {
  return order.bookings.some(isToShow) ? <KeepRows order={order} /> : null
}

const isToShow = (booking: Booking) =>
  booking.awb !== null && booking.state !== 'COLLECTED' && isValidBag(booking)

/** What this browser offers; nothing where it offers nothing. */
function KeepRows({ order }: KeepItProps) {
  const { t } = useTranslation('keep')
  const headingId = useId()
  const rows = [useInstallRow(), useNewsRow(), useWalletRows(order), useCalendarRow(order)]
  if (rows.every((row) => row === null)) return null
  return (
    <section className={styles.keep} aria-labelledby={headingId} data-screen>
      <h2 id={headingId} className={styles.title}>
        {t('title')}
      </h2>
      {rows}
    </section>
  )
}

/** By the browser's own offer, or in words where an app is added by hand. */
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

/** Only where they can be turned on here: the account says what else is in the way. */
function useNewsRow(): ReactNode {
  const isOffered = readPushSupport() === 'offered'
  const push = usePush(isOffered)
  return isOffered && push ? <PushRow key="news" isOver={false} /> : null
}

/** One for each bag: a wallet keeps each barcode by itself. */
function useWalletRows({ orderId, bookings }: Order): ReactNode {
  const { t } = useTranslation('keep')
  const { t: ofPayment } = useTranslation('payment')
  const { data } = useQuery(configQuery)
  // The wallet has no app there. An older gateway names no wallets, and must not take the barcode away.
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
  // The phone may hand the address to the app of the wallet and leave this page as it is.
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

/** Runs when the page is seen after it was hidden. */
function useShownAgain(onShown: () => void): void {
  const isShown = useIsShown()
  const run = useEffectEvent(onShown)
  useEffect(() => {
    if (isShown) run()
  }, [isShown])
}

/** While a time is known. */
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

/** Named, because those of several bags have the same words on their buttons. */
function NamedRow({ title, ...rest }: NamedRowProps) {
  const titleId = useId()
  return (
    <Row
      {...rest}
      role="group"
      aria-labelledby={titleId}
      name={
        <p id={titleId} className={styles.name}>
          {title}
        </p>
      }
    />
  )
}
