import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { isEnded } from '#client/entities/order/order-card.rules.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import textStyles from '#client/ui/text.module.css'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { ClaimName, ClaimStatus } from './claim-words.tsx'
import styles from './claims.module.css'
import { claimsQuery } from './claims.queries.ts'

/** The claims on the page of an order, each with its status, and the link to report a problem. */
export function OrderClaims({ order }: { readonly order: Order }) {
  const { t } = useTranslation('claims')
  // Claims are about bags that were handed over.
  const isOffered = order.bookings.some(({ state }) => isHandedOver(state))
  const { data } = useQuery({
    ...claimsQuery(String(order.orderId)),
    enabled: isOffered || isEnded(order.status),
  })
  const claims = data?.claims ?? []
  if (!isOffered && claims.length === 0) return null
  const isInTrouble = order.bookings.some(({ state }) => state === 'EXCEPTION')
  const to = paths.claims(order.orderId)
  return (
    <section
      className={classes(layout.stack, layout.gap2, styles.onOrder)}
      aria-label={t('list')}
      data-screen
    >
      {claims.map((claim) => (
        <Link key={claim.claimId} className={classes(layout.stack, styles.row)} to={to}>
          <b>
            <ClaimName claim={claim} />
          </b>
          <span className={textStyles.hint}>
            <ClaimStatus claim={claim} />
          </span>
        </Link>
      ))}
      {isOffered ? (
        <ButtonLink look={isInTrouble ? undefined : 'quiet'} icon="alert" to={to}>
          {t(claims.length === 0 ? 'title' : 'another')}
        </ButtonLink>
      ) : null}
    </section>
  )
}
