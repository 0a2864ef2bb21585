import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { type LocationFacts, LocationView } from '#client/entities/location/location.tsx'
import { agentsQuery, centersQuery } from '#client/entities/partner/partner.queries.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { Loading } from '#client/ui/loading.tsx'
import { type Leg, type LegEnd, legsOf } from '#shared/orders/orders.rules.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import './checkout.css'
import './checkout.texts.ts'

interface RouteSummaryProps {
  readonly type: BookingType
  readonly agentCode: string
  readonly centerCode: string
}

/** The legs of the booking with both ends, and a link to change them. */
export function RouteSummary({ type, agentCode, centerCode }: RouteSummaryProps) {
  const { t } = useTranslation('checkout')
  const agents = useQuery(agentsQuery)
  const centers = useQuery(centersQuery)
  const ends: Readonly<Record<LegEnd, LocationFacts | undefined>> = {
    agent: agents.data?.agents.find(({ id }) => id === agentCode),
    center: centers.data?.centers.find(({ code }) => code === centerCode),
  }
  const legs = legsOf(type)
  return (
    <section className="review-card" aria-labelledby="review-route">
      <div className="review-head">
        <h2 className="review-title" id="review-route">
          {t('route')}
        </h2>
        <Link className="review-change" to={paths.booking}>
          {t('change')}
        </Link>
      </div>
      {agents.isPending || centers.isPending ? (
        <Loading label={t('loading')} size="inline" />
      ) : (
        <div className="review-legs">
          {legs.map((leg) => (
            <LegSummary key={leg.from} leg={leg} ends={ends} isOneOfTwo={legs.length > 1} />
          ))}
        </div>
      )}
    </section>
  )
}

interface LegSummaryProps {
  readonly leg: Leg
  readonly ends: Readonly<Record<LegEnd, LocationFacts | undefined>>
  readonly isOneOfTwo: boolean
}

function LegSummary({ leg, ends, isOneOfTwo }: LegSummaryProps) {
  const { t } = useTranslation('checkout')
  return (
    <div className="review-leg">
      {isOneOfTwo ? (
        <h3 className="review-leg-title">{t(leg.from === 'center' ? 'legs.toMina' : 'legs.fromMina')}</h3>
      ) : null}
      <dl className="review-ends">
        {(['from', 'to'] as const).map((side) => (
          <div key={side} className="review-end">
            <dt>{t(side)}</dt>
            <dd>
              <EndView end={leg[side]} location={ends[leg[side]]} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

interface EndViewProps {
  readonly end: LegEnd
  readonly location: LocationFacts | undefined
}

function EndView({ end, location }: EndViewProps) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const unknown = t(end === 'agent' ? 'unknownAgent' : 'unknownLocation')
  return (
    <LocationView
      location={location ?? { coordinates: null }}
      language={language}
      unknown={unknown}
      isBrief
    />
  )
}
