import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import type { LocationFacts } from '#client/entities/location/location.tsx'
import { agentsQuery, centersQuery } from '#client/entities/partner/partner.queries.ts'
import { BagPass, shortNameOf } from '#client/entities/purchase/bag-pass.tsx'
import { priceOf } from '#client/entities/purchase/price.rules.ts'
import { TotalPrice } from '#client/entities/purchase/purchase-facts.tsx'
import { CityBand } from '#client/entities/tag/city-band.tsx'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useSession } from '#client/session/session.ts'
import layout from '#client/ui/layout.module.css'
import pageStyles from '#client/ui/page.module.css'
import { legsOf } from '#shared/orders/orders.rules.ts'
import styles from './booking.module.css'
import { type BookingDraft, cityFieldOf, withoutWithdrawn } from './booking.rules.ts'

/** The price, and the pass that fills up next to the questions; only on wide screens. */
export const BookingPass = memo(function BookingPass({ draft }: { readonly draft: BookingDraft }) {
  const { t } = useTranslation('booking')
  const { fare } = useLoadedConfig()
  const receiver = useSession().user?.name ?? null
  const places = usePlaces(draft)
  const legs = legsOf(draft.type)
  const last = legs.at(-1)
  return (
    <div className={`${pageStyles.side} ${pageStyles.onlyBeside}`}>
      <div className={`${layout.stack} ${layout.gap4}`}>
        {/* The pass repeats the text next to it. */}
        <div aria-hidden="true">
          <BagPass
            origins={legs.map(({ from }) => places[from])}
            destination={last && places[last.to]}
            receiver={receiver}
          />
        </div>
        <TotalPrice name={t('price')} halalas={priceOf(draft.type, fare).totalHalalas} />
      </div>
    </div>
  )
})

/** The thin pass and the price on phones, above the button, until all is chosen. */
export function BookingStrip({ draft }: { readonly draft: BookingDraft }) {
  const { t } = useTranslation('tag')
  const { fare } = useLoadedConfig()
  const language = useLanguage()
  const places = usePlaces(draft)
  const end = legsOf(draft.type).at(-1)?.to
  const destination = end && places[end]
  const city = destination?.city
  return (
    <div className={`${styles.strip} ${pageStyles.onlyBelow}`}>
      <LuggageTag
        shape="strip"
        city={city}
        band={<CityBand city={city} place={city && (shortNameOf(destination, language) ?? t('noBranch'))} />}
        stub={<strong translate="no">{formatMoney(priceOf(draft.type, fare).totalHalalas, language)}</strong>}
      />
    </div>
  )
}

/** The price on phones, once the pass has nothing more to ask. On wide screens it stands below the pass. */
export function PriceInButton({ draft }: { readonly draft: BookingDraft }) {
  const { fare } = useLoadedConfig()
  const language = useLanguage()
  return (
    <span className={pageStyles.onlyBelow}>
      <span className={styles.pricePoint}>{' · '}</span>
      <span className={styles.price} translate="no">
        {formatMoney(priceOf(draft.type, fare).totalHalalas, language)}
      </span>
    </span>
  )
}

/** The chosen agent and branch, if the partner's lists have arrived and still contain them. */
function usePlaces(draft: BookingDraft): {
  readonly agent: LocationFacts | undefined
  readonly center: LocationFacts | undefined
} {
  const centers = useQuery(centersQuery).data?.centers
  const agents = useQuery(agentsQuery).data?.agents
  if (!centers || !agents) return { agent: undefined, center: undefined }
  const chosen = withoutWithdrawn(draft, { centers, agents })
  const city = chosen[cityFieldOf(chosen.type)]
  return {
    agent: agents.find(({ id }) => id === chosen.agentCode),
    // Before the branch is chosen, its city is known.
    center:
      centers.find(({ code }) => code === chosen.centerCode) ??
      (city === null ? undefined : { city, coordinates: null }),
  }
}
