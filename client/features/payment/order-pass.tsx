import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isTravelling, knownState } from '#client/entities/order/journey.rules.ts'
import { useKeptFacts } from '#client/entities/order/kept-note.tsx'
import type { Kept } from '#client/entities/order/kept-orders.queries.ts'
import { RefundNote } from '#client/entities/order/refund-note.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { travelStates } from '#shared/orders/travel.schemas.ts'
import { KeepIt } from './keep-it.tsx'
import passLegStyles from './pass-leg.module.css'
import { PassLeg } from './pass-leg.tsx'
import styles from './result-screen.module.css'
import { ResultScreen } from './result-screen.tsx'

interface OrderPassProps {
  readonly order: Order
  /** Not the server's present answer. */
  readonly kept: Kept | undefined
  readonly onClose: (() => void) | undefined
  readonly children: ReactNode
}

/** A paid order: the pass of each of its bags. */
export function OrderPass({ order, kept, onClose, children }: OrderPassProps) {
  const { t } = useTranslation('payment')
  const title = usePassTitle(order, kept)
  const legs = legsOf(order.type)
  const isReturn = order.bookings.length > 1
  return (
    <ResultScreen
      title={title}
      isPass
      onClose={onClose}
      note={kept === undefined ? <BookedNote /> : <KeptPassNote kept={kept} />}
    >
      {order.bookings.map((booking, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: legs have no id, and their order never changes
        <div key={index} className={passLegStyles.leg}>
          {isReturn ? (
            <h2 className={passLegStyles.title}>
              {t('thankYou.leg', { number: index + 1, total: order.bookings.length })}
            </h2>
          ) : null}
          <PassLeg
            orderId={order.orderId}
            booking={booking}
            centerCode={order.centerCode}
            receiver={order.receiver?.name}
            leg={legs[index] ?? { from: 'agent', to: 'center' }}
            isCutOff={kept !== undefined}
            isFirst={index === 0}
            isOnThread={!isReturn}
          />
        </div>
      ))}
      {kept === undefined ? <KeepIt order={order} /> : null}
      {order.refund ? (
        <div role="status">
          <RefundNote refund={order.refund} />
        </div>
      ) : null}
      {children}
    </ResultScreen>
  )
}

/** The state of the bag that is furthest behind once all were handed over; before, whether the pass is there. */
function usePassTitle({ bookings }: Order, kept: Kept | undefined): string {
  const { t } = useTranslation('payment')
  const { t: ofPass } = useTranslation('pass')
  const { t: ofJourney } = useTranslation('journey')
  if (bookings.length > 0 && bookings.every(isTravelling)) {
    const places = bookings.map(({ state }) => travelStates.indexOf(state ?? 'READY'))
    return ofJourney(`state.${knownState(travelStates[Math.min(...places)] ?? '')}`)
  }
  if (bookings.some(({ awb }) => awb === null)) return ofPass('issuing')
  return kept === undefined ? t('thankYou.titles.PAID') : ofPass('kept')
}

function BookedNote() {
  const { t } = useTranslation('pass')
  return (
    <p className={`${styles.note} ${styles.noteGood}`} data-screen>
      <Icon name="tick" />
      {t('booked')}
    </p>
  )
}

function KeptPassNote({ kept }: { readonly kept: Kept }) {
  const { t } = useTranslation('pass')
  const { why, time } = useKeptFacts(kept)
  return (
    <p className={`${styles.note} ${styles.noteWaiting}`} data-screen>
      <Icon name="offline" />
      <span>
        {t(`why.${why}`)} <bdi>{t('knownAt', { time })}</bdi>
      </span>
    </p>
  )
}
