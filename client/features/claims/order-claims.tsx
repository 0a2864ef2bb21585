import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { ClaimName, ClaimStatus } from './claim-words.tsx'
import styles from './claims.module.css'
import { claimsQuery } from './claims.queries.ts'

/** On the page of an order: its claims with what is said of them now, and the way to report a problem. */
export function OrderClaims({ order }: { readonly order: Order }) {
  const { t } = useTranslation('claims')
  // Claims are about bags that were paid for; they are not waited for.
  const isPaid = order.status === 'PAID'
  const isOver = order.status === 'REFUNDED' || order.status === 'CANCELLED'
  const { data } = useQuery({ ...claimsQuery(String(order.orderId)), enabled: isPaid || isOver })
  const claims = data?.claims ?? []
  if (!isPaid && claims.length === 0) return null
  const isInTrouble = order.bookings.some(({ state }) => state === 'EXCEPTION')
  const to = paths.claims(order.orderId)
  return (
    <section className={styles.onOrder} aria-label={t('list')} data-screen>
      {claims.map((claim) => (
        <Link key={claim.claimId} className={styles.row} to={to}>
          <b>
            <ClaimName claim={claim} />
          </b>
          <span className={styles.rowSaid}>
            <ClaimStatus claim={claim} />
          </span>
        </Link>
      ))}
      {isPaid ? (
        <ButtonLink look={isInTrouble ? undefined : 'quiet'} icon="alert" to={to}>
          {t(claims.length === 0 ? 'title' : 'another')}
        </ButtonLink>
      ) : null}
    </section>
  )
}
