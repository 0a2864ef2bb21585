import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useConfig } from '#client/entities/config/use-config.ts'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { useDaysText } from '#client/entities/promise/days-text.ts'
import { useStops } from '#client/entities/stop/use-stops.ts'
import { formatMoney, formatWholeRiyals } from '#client/platform/format.ts'
import { i18n, useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useInDocument } from '#client/platform/in-document.ts'
import { paths } from '#client/platform/paths.ts'
import type { Role } from '#client/session/session.rules.ts'
import { useSession } from '#client/session/session.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import knotStyles from '#client/ui/knot.module.css'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { usePageHeading } from '#client/ui/page-heading.ts'
import { bag, hill, print, Scene, tag, thread } from '#client/ui/scene.tsx'
import { fare, maxWeightKg } from '#shared/checkout/checkout.operations.ts'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { brand } from '#shared/platform/brand.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { transitDaysOf, transitDaysOverall } from '#shared/platform/promises.rules.ts'
import { HangingTag, HeroLand } from './hero-picture.tsx'
import styles from './home.module.css'
import { hasExamples } from './home.rules.ts'

const servicesId = 'services'

const daysLine = `${layout.split} ${layout.gap2} ${styles.days}`

const steps = ['signIn', 'agent', 'branch', 'pay', 'handOver', 'collect'] as const

/** The most visited cities. The booking page has the full list. */
const cities = ['Riyadh', 'Jeddah', 'Madinah', 'Dammam'] as const
type City = (typeof cities)[number]

/** The start page: the service, its steps and the entry. */
export function HomePage() {
  const { t } = useTranslation('home')
  const findStop = useHomeStops()
  const [chosen, setChosen] = useState<City | null>(null)
  const city = chosen !== null && findStop({ city: chosen }) === undefined ? chosen : null
  return (
    <div>
      <Poster city={city} onChoose={setChosen} />
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
      <section className={`${layout.stack} ${styles.closing}`} aria-labelledby="closing-title">
        <HomeScene />
        <h2 id="closing-title">{t('closing.title')}</h2>
        <ClosingText />
        <BookLink city={city} />
      </section>
    </div>
  )
}

function HomeScene() {
  return (
    <Scene>
      <path {...hill} d="M12 140Q50 128 62 84q12 44 50 56Zm116 0q38-12 50-56q12 44 50 56Z" />
      <path d="M12 140h216" />
      <path {...bag} d="M78 58h84a8 8 0 0 1 8 8v66a8 8 0 0 1-8 8H78a8 8 0 0 1-8-8V66a8 8 0 0 1 8-8Z" />
      <path d="M102 58V42a6 6 0 0 1 6-6h24a6 6 0 0 1 6 6v16M90 58v82M150 58v82" />
      <path {...thread} d="M120 36C120 66 150 62 152 82" />
      <path {...tag} d="M140 88l8-8h10l8 8v36h-26Z" />
      <path {...print} d="M153 88h0M146 104h14M146 110h14M146 116h8" />
    </Scene>
  )
}

/** The cities and routes that are not sold at present. */
const useHomeStops = () => useStops(useConfig()?.stops)

interface QuestionProps {
  /** The English name of the city; `null` until it is chosen. */
  readonly city: City | null
  readonly onChoose: (city: City | null) => void
}

function Poster({ city, onChoose }: QuestionProps) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const heading = usePageHeading()
  return (
    <section className={`${layout.stack} ${styles.poster}`}>
      <HeroLand />
      <div className={styles.posterWords}>
        <h1 ref={heading} tabIndex={-1} className={styles.posterTitle}>
          {linesOf(brand.tagline[language]).map((line) => (
            <span key={line} className={styles.posterLine}>
              {`${line} `}
            </span>
          ))}
        </h1>
        <p className={styles.posterLead}>{t('lead')}</p>
        <AllStopped />
        <div className={`${layout.grid} ${layout.gap2} ${styles.ask}`}>
          <Question city={city} onChoose={onChoose} />
          <div className={styles.posterActions}>
            <BookLink city={city} />
            <ButtonLink className={styles.learnMore} href={`#${servicesId}`}>
              {t('learnMore')}
            </ButtonLink>
          </div>
        </div>
      </div>
      <FactsTag city={city} />
    </section>
  )
}

/** Asks for the city: the field opens the list of all cities, a chip chooses one. Agents cannot book and do not see it. */
function Question({ city, onChoose }: QuestionProps) {
  const { t } = useTranslation('home')
  const { likelyRole } = useSession()
  const findStop = useHomeStops()
  if (likelyRole === 'agent' || findStop({}) !== undefined) return null
  return (
    <>
      <Link
        className={`${layout.line} ${layout.gap3} ${styles.question}`}
        to={bookingOf(likelyRole, paths.bookingTo(''))}
        data-config="unlessStopped"
      >
        {city === null ? <Icon name="search" /> : <CityBlock city={city} />}
        <span className={city === null ? undefined : 'visually-hidden'}>{t('question')}</span>{' '}
        {city === null ? null : <span>{t(`cities.${city}`)}</span>}
        <Icon name="chevron" />
      </Link>
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form */}
      <div
        className={`${layout.cluster} ${layout.gap2} ${styles.chips}`}
        role="group"
        aria-label={t('question')}
        data-config="unlessStopped"
      >
        {cities
          .filter((each) => findStop({ city: each }) === undefined)
          .map((each) => (
            <CityChip key={each} city={each} isChosen={each === city} onChoose={onChoose} />
          ))}
        <StoppedCities />
      </div>
    </>
  )
}

interface CityChipProps {
  readonly city: City
  readonly isChosen: boolean
  readonly onChoose: (city: City | null) => void
}

/** Chooses the city, or takes the choice back. In a document, the chip is a link to the booking of that city. */
function CityChip({ city, isChosen, onChoose }: CityChipProps) {
  const { t } = useTranslation('home')
  const { likelyRole } = useSession()
  // The short name lets all chips fit into one row.
  const name = t(city === 'Madinah' ? 'madinahShort' : `cities.${city}`)
  return useInDocument() ? (
    <Link
      className={styles.chip}
      to={bookingOf(likelyRole, paths.bookingTo(city))}
      data-config="unlessCityStopped"
      data-city={city}
      data-needs-app
    >
      {name}
    </Link>
  ) : (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={isChosen}
      onClick={() => onChoose(isChosen ? null : city)}
    >
      {name}
    </button>
  )
}

/** Says why a city has no chip. */
function StoppedCities() {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const findStop = useHomeStops()
  const isInDocument = useInDocument()
  return cities.map((city) => {
    const stop = findStop({ city })
    return stop || isInDocument ? (
      <p
        key={city}
        className={styles.cityStopped}
        hidden={isInDocument}
        data-config="cityStopped"
        data-city={city}
      >
        <strong>{t(`cities.${city}`)}</strong> <span>{stop?.text[language]}</span>
      </p>
    ) : null
  })
}

/** Says to visitors and pilgrims that no booking is possible at present. */
function AllStopped() {
  const language = useLanguage()
  const stop = useHomeStops()({})
  const { likelyRole } = useSession()
  const isInDocument = useInDocument()
  if (likelyRole === 'agent' || !(stop || isInDocument)) return null
  return (
    <Note
      tone="pending"
      icon="alert"
      className={styles.stopped}
      role="status"
      hidden={isInDocument}
      data-config="stopped"
    >
      <span>{stop?.text[language]}</span>
    </Note>
  )
}

/** Splits the tagline into its two lines. */
function linesOf(tagline: string): string[] {
  return (tagline.match(/[^،,.]+[،,.]?/g) ?? []).map((line) => line.trim())
}

/** The facts of the route, on the tag that hangs from the thread. Facts that are not configured are left out. */
function FactsTag({ city }: { readonly city: City | null }) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const config = useConfig()
  const lostSar = config?.promises.lostSar
  const isInDocument = useInDocument()
  return (
    <div className={`${layout.stack} ${styles.hang}`}>
      <HangingTag note={<ExampleNote config={config} />}>
        {/* biome-ignore lint/a11y/useSemanticElements: nothing of it is filled in */}
        <div className={styles.facts} role="group" aria-label={t('facts.label')}>
          {config === undefined ? <DaysToCome /> : <Days config={config} city={city} />}
          <dl className={layout.cluster}>
            <div>
              <dt>{t('facts.perBag')}</dt>
              <dd translate="no">{formatMoney(fare.baseHalalas, language)}</dd>
            </div>
            <div>
              <dt>{t('facts.most')}</dt>
              <dd>{t('facts.kg', { kg: maxWeightKg })}</dd>
            </div>
            {lostSar === undefined && !isInDocument ? null : (
              <div hidden={isInDocument} data-config="lost">
                <dt>{t('facts.lost')}</dt>
                <dd translate="no">{formatWholeRiyals(lostSar ?? 0, language)}</dd>
              </div>
            )}
          </dl>
        </div>
      </HangingTag>
    </div>
  )
}

/** Reserves the space of the days while the configuration loads, so that nothing shifts. */
function DaysToCome() {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const texts = useInDocument() ? JSON.stringify(i18n.getResourceBundle(language, 'promise')) : undefined
  return (
    <p className={daysLine} data-to-come data-config="days" data-texts={texts}>
      <span>{t('facts.usually')}</span> <span>{t('facts.byCity')}</span> <b>{'\u00a0'}</b>
    </p>
  )
}

/** The days of all cities until one is chosen. */
function Days({ config: { promises }, city }: { readonly config: PublicConfig; readonly city: City | null }) {
  const { t } = useTranslation('home')
  const daysText = useDaysText()
  const days = city === null ? transitDaysOverall(promises) : transitDaysOf(promises, city)
  if (days === undefined) return null
  const isByCity = Object.keys(promises.transitDays).length > 1
  return (
    <p className={daysLine}>
      <span>{t('facts.usually')}</span>{' '}
      {city !== null ? (
        <span className={styles.letters} translate="no" aria-hidden="true">
          {cityCode(city)}
        </span>
      ) : isByCity ? (
        <span>{t('facts.byCity')}</span>
      ) : null}{' '}
      <b key={city} className={city === null ? undefined : styles.rolls}>
        {daysText(days)}
      </b>
    </p>
  )
}

/** A note that the promises are examples. It is shown only in a demo that has promises. */
function ExampleNote({ config }: { readonly config: PublicConfig | undefined }) {
  const { t } = useTranslation('promise')
  const isInDocument = useInDocument()
  return (config && hasExamples(config)) || isInDocument ? (
    <p className={styles.example} hidden={isInDocument} data-config="example">
      {t('example')}
    </p>
  ) : null
}

/** The address of the booking link. Visitors sign in first, and the sign-in leads them to booking. */
function bookingOf(role: Role | null, to: string = paths.booking): string {
  if (role === 'user') return to
  return to === paths.booking ? paths.auth : paths.authThen(to)
}

/** An invitation to book. */
function ClosingText() {
  const { t } = useTranslation('home')
  return useHomeStops()({}) === undefined ? <p data-config="unlessStopped">{t('closing.text')}</p> : null
}

/** The link to book. Agents cannot book, so their link leads to their orders. */
function BookLink({ city }: { readonly city: City | null }) {
  const { t } = useTranslation('home')
  const { likelyRole } = useSession()
  const stop = useHomeStops()({})
  const booking = city === null ? paths.booking : paths.bookingTo(city)
  return stop !== undefined && likelyRole !== 'agent' ? null : (
    <ButtonLink
      look="primary"
      className={styles.bookLink}
      to={likelyRole === 'agent' ? paths.agentOrders : bookingOf(likelyRole, booking)}
      data-config={likelyRole === 'agent' ? undefined : 'unlessStopped'}
    >
      {likelyRole === 'agent'
        ? t('assignedOrders')
        : city === null
          ? t('book')
          : t('bookTo', { city: t(`cities.${city}`) })}
    </ButtonLink>
  )
}
