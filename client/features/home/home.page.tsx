import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { useHeadingFocus } from '#client/ui/heading-focus.ts'
import { Icon } from '#client/ui/icon.tsx'
import { fare, maxWeightKg } from '#shared/checkout/checkout.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { JourneyPicture } from './journey-picture.tsx'
import '#client/ui/buttons.css'
import './home.css'
import './home.texts.ts'

const servicesId = 'services'

const services = [
  { icon: 'phone', name: 'signIn' },
  { icon: 'route', name: 'route' },
  { icon: 'card', name: 'pay' },
  { icon: 'barcode', name: 'airwayBill' },
  { icon: 'bag', name: 'handOver' },
  { icon: 'branch', name: 'collect' },
] as const

type Role = 'user' | 'agent' | null

/** The start page: the service, its steps and the entry. Without antd, so that it opens on a slow network. */
export function HomePage({ role }: { role: Role }) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const heading = useHeadingFocus()
  useDocumentTitle()
  return (
    <div className="home">
      <section className="hero">
        <div className="hero-words">
          <h1 ref={heading} tabIndex={-1} className="hero-title">
            {brand.tagline[language]}
          </h1>
          <p className="hero-lead">{brand.description[language]}</p>
          <div className="hero-actions">
            <BookLink role={role} />
            <a className="button" href={`#${servicesId}`}>
              {t('learnMore')}
            </a>
          </div>
          <ul className="hero-facts" aria-label={t('facts.label')}>
            <li>{t('facts.price', { price: formatMoney(fare.baseHalalas, language) })}</li>
            <li>{t('facts.weight', { kg: maxWeightKg })}</li>
            <li>{t('facts.airwayBill')}</li>
          </ul>
        </div>
        <JourneyPicture />
      </section>

      <section id={servicesId} className="services" aria-labelledby="services-title">
        <h2 id="services-title">{t('services.title')}</h2>
        <p className="services-intro">{t('services.intro')}</p>
        <ol className="service-list">
          {services.map(({ icon, name }, index) => (
            <li key={name} className="service">
              <span className="service-picture">
                <Icon name={icon} />
              </span>
              <h3 className="service-title">
                <span className="service-number" aria-hidden="true">
                  {index + 1}
                </span>
                {t(`services.${name}.title`)}
              </h3>
              <p className="service-text">{t(`services.${name}.text`, { kg: maxWeightKg })}</p>
            </li>
          ))}
        </ol>
      </section>

      <section className="closing" aria-labelledby="closing-title">
        <h2 id="closing-title">{t('closing.title')}</h2>
        <p>{t('closing.text')}</p>
        <BookLink role={role} />
      </section>
    </div>
  )
}

/** For agents, who cannot book, the link leads to their orders. */
function BookLink({ role }: { role: Role }) {
  const { t } = useTranslation('home')
  if (role === 'agent') {
    return (
      <Link className="button button-primary" to={paths.agentOrders}>
        {t('assignedOrders')}
      </Link>
    )
  }
  return (
    <Link className="button button-primary" to={role === 'user' ? paths.booking : paths.auth}>
      {t('book')}
    </Link>
  )
}
