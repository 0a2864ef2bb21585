import { useQuery } from '@tanstack/react-query'
import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { type LocationFacts, LocationView, nameOf, withoutCity } from '#client/entities/location/location.tsx'
import { agentsQuery, centersQuery } from '#client/entities/partner/partner.queries.ts'
import { useDaysText } from '#client/entities/promise/days-text.ts'
import { usePromises } from '#client/entities/promise/use-promises.ts'
import { formatDayInBoth, onOneLine } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import textStyles from '#client/ui/text.module.css'
import { addressOf } from '#shared/orders/address.rules.ts'
import { type Leg, type LegEnd, legsOf } from '#shared/orders/orders.rules.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { transitDaysOf } from '#shared/platform/promises.rules.ts'
import styles from './checkout.module.css'
import { ThreadKnot } from './thread-knot.tsx'

export interface RouteEnds {
  readonly isPending: boolean
  /** A location is `undefined` when the partner does not list it. */
  readonly locations: Readonly<Record<LegEnd, LocationFacts | undefined>>
}

/** Agent and branch of the booking, from the partner's lists. */
export function useRouteEnds(agentCode: string, centerCode: string): RouteEnds {
  const agents = useQuery(agentsQuery)
  const centers = useQuery(centersQuery)
  return {
    isPending: agents.isPending || centers.isPending,
    locations: {
      agent: agents.data?.agents.find(({ id }) => id === agentCode),
      center: centers.data?.centers.find(({ code }) => code === centerCode),
    },
  }
}

interface RouteSummaryProps {
  readonly type: BookingType
  readonly ends: RouteEnds
}

/** The legs of the booking with both ends, and a link to change each end. */
export function RouteSummary({ type, ends }: RouteSummaryProps) {
  const { t } = useTranslation('checkout')
  const legs = legsOf(type)
  return (
    <section className={styles.route} aria-labelledby="review-route">
      <h2 className="visually-hidden" id="review-route">
        {t('route')}
      </h2>
      {ends.isPending ? (
        <Loading label={t('loading')} outline="route" />
      ) : (
        <div className={`${layout.grid} ${styles.legs}`}>
          {legs.map((leg) => (
            <LegSummary key={leg.from} leg={leg} locations={ends.locations} isOneOfTwo={legs.length > 1} />
          ))}
        </div>
      )}
    </section>
  )
}

interface LegSummaryProps {
  readonly leg: Leg
  readonly locations: RouteEnds['locations']
  readonly isOneOfTwo: boolean
}

function LegSummary({ leg, locations, isOneOfTwo }: LegSummaryProps) {
  const { t } = useTranslation('checkout')
  return (
    <div>
      {isOneOfTwo ? (
        <h3 className={styles.legTitle}>{t(leg.from === 'center' ? 'legs.toMina' : 'legs.fromMina')}</h3>
      ) : null}
      <dl>
        <div className={classes(styles.knot, styles.end)}>
          <dt className={textStyles.quiet}>
            <ThreadKnot />
            <span>{t('from')}</span>
          </dt>
          <dd>
            <EndView end={leg.from} location={locations[leg.from]} />
            {leg.from === 'agent' ? <HandInUntil /> : null}
            <ChangeLink end={leg.from} />
          </dd>
        </div>
        <Destination end={leg.to} location={locations[leg.to]} branchCity={locations.center?.city} />
      </dl>
    </div>
  )
}

function HandInUntil() {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const { handInUntil } = usePromises()
  if (handInUntil === undefined) return null
  return <p className={styles.promise}>{t('until', { day: formatDayInBoth(handInUntil, language) })}</p>
}

/** Opens the list of agents or branches on the booking page. */
function ChangeLink({ end }: { readonly end: LegEnd }) {
  const { t } = useTranslation('checkout')
  return (
    <ButtonLink
      look="quiet"
      className={styles.change}
      to={paths.bookingAsking(`${end}Code`)}
      aria-label={t(`change.${end}`)}
    >
      {t('changeShort')}
    </ButtonLink>
  )
}

interface EndViewProps {
  readonly end: LegEnd
  readonly location: LocationFacts | undefined
  /** The city that the label names, in the language on screen. */
  readonly namedCity?: string | undefined
}

interface DestinationProps extends Omit<EndViewProps, 'namedCity'> {
  /** The branch's city determines the promised days, in both directions. */
  readonly branchCity: string | undefined
}

/** The destination with its city code and the usual days until the bag arrives. */
function Destination({ end, location, branchCity }: DestinationProps) {
  const { t } = useTranslation('checkout')
  const { t: ofPromise } = useTranslation('promise')
  const language = useLanguage()
  const daysText = useDaysText()
  const { promises } = useLoadedConfig()
  const days = transitDaysOf(promises, branchCity)
  const city = location?.city
  const namedCity = city === undefined ? undefined : cityName(city, language)
  return (
    <div className={classes(styles.knot, styles.end)}>
      <dt className={classes(layout.line, layout.gap2, textStyles.quiet, styles.toCity)}>
        <ThreadKnot />
        <CityBlock city={city} />
        <span>{namedCity === undefined ? t('to') : t('toCity', { city: namedCity })}</span>
      </dt>
      <dd>
        <EndView end={end} location={location} namedCity={namedCity} />
        {days === undefined ? null : (
          <p className={styles.promise}>{ofPromise('usually', { days: onOneLine(daysText(days)) })}</p>
        )}
        <ChangeLink end={end} />
      </dd>
    </div>
  )
}

/**
 * The name and address of a location. The hours are left out, because the bag arrives days later, and the city of a destination,
 * which the label of its row shows.
 */
function inShort(location: LocationFacts, language: LanguageCode, city?: string): LocationFacts {
  const name = nameOf(location)
  const address = withoutCity(addressOf(location, language), city)
  return { name, address, city: name || address ? undefined : location.city, coordinates: null }
}

function EndView({ end, location, namedCity }: EndViewProps) {
  const { t } = useTranslation('checkout')
  const language = useLanguage()
  const unknown = t(end === 'agent' ? 'unknownAgent' : 'unknownLocation')
  const shown = location === undefined ? { coordinates: null } : inShort(location, language, namedCity)
  return <LocationView location={shown} unknown={unknown} isBrief />
}
