import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { useHoursNow } from '#client/entities/location/branch-hours.tsx'
import { useHoursOf } from '#client/entities/partner/partner.queries.ts'
import { readPushSupport } from '#client/entities/push/browser-push.ts'
import { pushQuery } from '#client/entities/push/push.queries.ts'
import { PushRow } from '#client/entities/push/push-row.tsx'
import { isAppleBrowserTab, isAppleMobile } from '#client/platform/apple.ts'
import { call } from '#client/platform/call.ts'
import { openDocument, useBfcacheRestore } from '#client/platform/document.ts'
import { useInstallOffer } from '#client/platform/install-offer.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import rowStyles from '#client/ui/row.module.css'
import textStyles from '#client/ui/text.module.css'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { readCalendar, readWalletLink } from '#shared/passes/passes.operations.ts'
import { visitOf } from '#shared/passes/visits.rules.ts'
import styles from './keep-it.module.css'

/** What this phone can do to keep the barcode of a paid order at hand; nothing where it can do nothing. */
export function KeepIt({ order }: { readonly order: Order }) {
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
    <Row key="install" title={t('install.title')} text={t(install ? 'install.text' : 'install.byHand')}>
      {install === undefined ? null : (
        <Button look="quiet" onClick={install}>
          {t('install.action')}
        </Button>
      )}
    </Row>
  )
}

/** Only where they can be turned on here: the account says what else is in the way. */
function useNewsRow(): ReactNode {
  const isOffered = readPushSupport() === 'offered'
  const { data } = useQuery({ ...pushQuery, enabled: isOffered })
  return isOffered && data?.publicKey ? <PushRow key="news" isOver={false} /> : null
}

/** One for each bag: a wallet keeps each barcode by itself. */
function useWalletRows({ orderId, bookings }: Order): ReactNode {
  const { t } = useTranslation('keep')
  const { t: ofPayment } = useTranslation('payment')
  const { data } = useQuery(configQuery)
  // The wallet has no app there.
  if (isAppleMobile() || !data?.wallets.includes('google')) return null
  const total = bookings.length
  const rows = bookings.flatMap(({ awb, state }, index) =>
    awb === null || state === 'COLLECTED'
      ? []
      : [
          <WalletRow
            key={awb}
            orderId={orderId}
            awb={awb}
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
  const save = useMutation({
    mutationFn: () => call(readWalletLink, { params: { id: String(orderId), awb } }),
    onSuccess: ({ url }) => openDocument(url),
  })
  useBfcacheRestore(save.reset)
  const isBusy = save.isPending || save.isSuccess
  return (
    <Row title={title} text={t('wallet.text')} problem={save.error}>
      <Button look="quiet" isBusy={isBusy} onClick={() => save.mutate()}>
        {t(isBusy ? 'wallet.opening' : 'wallet.action')}
      </Button>
    </Row>
  )
}

/** While a time is known. */
function useCalendarRow({ orderId, type, bookings, centerCode }: Order): ReactNode {
  const { t } = useTranslation('keep')
  const hours = useHoursOf(centerCode)
  const now = useHoursNow()
  const hasVisit = legsOf(type).some((leg, index) => visitOf(bookings[index]?.state ?? null, leg, hours, now))
  if (!hasVisit) return null
  return (
    <Row key="calendar" title={t('calendar.title')} text={t('calendar.text')}>
      <ButtonLink look="quiet" href={operationHref(readCalendar, { id: orderId })}>
        {t('calendar.action')}
      </ButtonLink>
    </Row>
  )
}

interface RowProps {
  readonly title: string
  readonly text: string
  readonly problem?: unknown
  /** What to press. */
  readonly children: ReactNode
}

/** Named, because those of several bags have the same words on their buttons. */
function Row({ title, text, problem, children }: RowProps) {
  const titleId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields of a form
    <div role="group" aria-labelledby={titleId} className={rowStyles.row}>
      <div className={rowStyles.pair}>
        <p id={titleId} className={styles.name}>
          {title}
        </p>
        <p className={textStyles.hint}>{text}</p>
        <Problem error={problem} />
      </div>
      {children}
    </div>
  )
}
