import { Link } from 'react-router-dom'
import { useConfig } from '#client/entities/config/use-config.ts'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { useStops } from '#client/entities/stop/use-stops.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useServedFor } from '#client/platform/use-is-hydrated.ts'
import type { Role } from '#client/session/session.rules.ts'
import { useSession } from '#client/session/session.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import knotStyles from '#client/ui/knot.module.css'
import { Note } from '#client/ui/note.tsx'
import { usePageHeading } from '#client/ui/page-heading.ts'
import { Scene } from '#client/ui/scene.tsx'
import textStyles from '#client/ui/text.module.css'
import { fare, maxWeightKg } from '#shared/checkout/checkout.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { HeroLand, HeroThread } from './hero-picture.tsx'
import styles from './home.module.css'

const servicesId = 'services'

const steps = ['signIn', 'agent', 'branch', 'pay', 'handOver', 'collect'] as const

/** The most visited; the full list belongs to the booking page. */
const cities = ['Riyadh', 'Jeddah', 'Madinah', 'Dammam'] as const

/** The start page: the service, its steps and the entry. */
export function HomePage() {
  const { t } = useTranslation('home')
  const { likelyRole } = useSession()
  return (
    <div>
      <Poster />
      <Facts />
      {likelyRole === 'agent' ? null : <Cities />}
      <section id={servicesId} className={styles.homeSection} aria-labelledby="services-title">
        <h2 id="services-title">{t('services.title')}</h2>
        <ol className={`${knotStyles.threadList} ${styles.serviceList}`}>
          {steps.map((name) => (
            <li key={name} data-progress="done">
              <i className={knotStyles.knot} aria-hidden="true" />
              <h3>{t(`services.${name}.title`)}</h3>
              <p className={styles.serviceText}>{t(`services.${name}.text`, { kg: maxWeightKg })}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className={styles.closing} aria-labelledby="closing-title">
        <Scene name="home" />
        <h2 id="closing-title">{t('closing.title')}</h2>
        <ClosingText />
        <BookLink />
      </section>
    </div>
  )
}

/** What is not sold at present. */
const useHomeStops = () => useStops(useConfig()?.stops)

function Poster() {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const heading = usePageHeading()
  return (
    <section className={styles.poster}>
      <HeroLand />
      <HeroThread />
      <div className={styles.posterWords}>
        <h1 ref={heading} tabIndex={-1} className={styles.posterTitle}>
          {linesOf(brand.tagline[language]).map((line) => (
            <span key={line} className={styles.posterLine}>
              {`${line} `}
            </span>
          ))}
        </h1>
        <p className={styles.posterLead}>{brand.description[language]}</p>
        <AllStopped />
        <div className={styles.posterActions}>
          <BookLink />
          <ButtonLink href={`#${servicesId}`}>{t('learnMore')}</ButtonLink>
        </div>
      </div>
    </section>
  )
}

/** For those who would book. */
function AllStopped() {
  const language = useLanguage()
  const stop = useHomeStops()({})
  const { likelyRole } = useSession()
  return stop === undefined || likelyRole === 'agent' ? null : (
    <Note tone="pending" icon="alert" className={styles.stopped} role="status">
      {stop.text[language]}
    </Note>
  )
}

/** The tagline's halves, one on each line. */
function linesOf(tagline: string): string[] {
  return (tagline.match(/[^،,.]+[،,.]?/g) ?? []).map((line) => line.trim())
}

function Facts() {
  const { t } = useTranslation('home')
  const language = useLanguage()
  return (
    <ul className={styles.facts} aria-label={t('facts.label')}>
      <li>
        <b translate="no">{formatMoney(fare.baseHalalas, language)}</b> {t('facts.price')}
      </li>
      <li>
        <b>{t('facts.kg', { kg: maxWeightKg })}</b> {t('facts.weight')}
      </li>
      <li>
        <b>{t('facts.barcode')}</b> {t('facts.onPhone')}
      </li>
    </ul>
  )
}

function Cities() {
  const { t } = useTranslation('home')
  const { likelyRole } = useSession()
  const language = useLanguage()
  const findStop = useHomeStops()
  const isAllStopped = findStop({}) !== undefined
  return (
    <section className={styles.homeSection} aria-labelledby="cities-title" {...useServedFor('pilgrim')}>
      <h2 id="cities-title">{t('cities.title')}</h2>
      <ul className={styles.cities}>
        {cities.map((city) => {
          const stop = findStop({ city })
          return (
            <li key={city}>
              {stop === undefined ? (
                <Link
                  className={styles.city}
                  to={bookingOf(likelyRole, paths.bookingTo(city))}
                  data-user-href={paths.bookingTo(city)}
                >
                  <CityBlock city={city} />
                  <span>{t(`cities.${city}`)}</span>
                </Link>
              ) : (
                <p className={`${styles.city} ${styles.cityStopped}`}>
                  <CityBlock city={city} />
                  <span>
                    <span>{t(`cities.${city}`)}</span>
                    {/* Of all is told above. */}
                    {isAllStopped ? null : <span className={textStyles.hint}>{stop.text[language]}</span>}
                  </span>
                </p>
              )}
            </li>
          )
        })}
        {isAllStopped ? null : (
          <li className={styles.citiesAll}>
            <ButtonLink to={bookingOf(likelyRole)} data-user-href={paths.booking}>
              {t('cities.all')}
            </ButtonLink>
          </li>
        )}
      </ul>
    </section>
  )
}

/** Visitors sign in first, which leads to booking by itself. `data-user-href` is for before-app.js. */
function bookingOf(role: Role | null, to: string = paths.booking): string {
  if (role === 'user') return to
  return to === paths.booking ? paths.auth : paths.authThen(to)
}

/** An invitation to book. */
function ClosingText() {
  const { t } = useTranslation('home')
  return useHomeStops()({}) === undefined ? <p>{t('closing.text')}</p> : null
}

/** For agents, who cannot book, the link leads to their orders. */
function BookLink() {
  const { t } = useTranslation('home')
  const { likelyRole } = useSession()
  const stop = useHomeStops()({})
  const served = useServedFor('pilgrim')
  return stop !== undefined && likelyRole !== 'agent' ? null : (
    <ButtonLink
      look="primary"
      className={styles.bookLink}
      to={likelyRole === 'agent' ? paths.agentOrders : bookingOf(likelyRole)}
      data-user-href={paths.booking}
      {...served}
    >
      {likelyRole === 'agent' ? t('assignedOrders') : t('book')}
    </ButtonLink>
  )
}
