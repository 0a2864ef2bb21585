import { useLocation } from 'react-router-dom'
import { ContactList } from '#client/entities/config/contact-list.tsx'
import { useConfig } from '#client/entities/config/use-config.ts'
import { telHref } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useSession } from '#client/session/session.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Tents } from '#client/ui/tents.tsx'
import textStyles from '#client/ui/text.module.css'
import { brand } from '#shared/platform/brand.ts'
import { pageAt } from '#shared/platform/pages.ts'
import { AppLink } from './documents.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { routes } from './routes.ts'
import styles from './shell.module.css'

const links = `${layout.cluster} ${layout.gap5} ${styles.footerLinks}`

/** The whole footer; one line of it on the pages of a signed-in person, with the rest unfolded below. */
export function Footer() {
  const { likelyRole } = useSession()
  const page = pageAt(useLocation().pathname)
  const isShort = likelyRole !== null && page !== undefined && routes[page].access !== 'everyone'
  return (
    <footer className={styles.footer} data-screen>
      <Tents />
      {isShort ? <ShortFooter /> : <WholeFooter />}
    </footer>
  )
}

function ShortFooter() {
  const { t } = useTranslation('shell')
  const { phone } = useConfig()?.contact ?? brand.contact
  return (
    <div className={`${layout.cluster} ${styles.footerShort}`}>
      <a className={layout.gap2} href={telHref(phone)}>
        <Icon name="phone" />
        <PhoneText>{phone}</PhoneText>
      </a>
      <LanguageSwitch />
      <details>
        <summary className={textStyles.unfold}>{t('footer.more')}</summary>
        <WholeFooter />
      </details>
    </div>
  )
}

function WholeFooter() {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const { likelyRole } = useSession()
  return (
    <>
      <div className={`${layout.grid} ${layout.gap3} ${styles.footerInner}`}>
        <div>
          <p className={styles.footerName}>{brand.name[language]}</p>
          <p className={styles.footerTagline}>{brand.tagline[language]}</p>
          <p>{brand.description[language]}</p>
        </div>
        <QuickLinks />
        {likelyRole === 'agent' ? null : <Services />}
        <Contact />
      </div>
      <p className={styles.footerRights}>
        {t('footer.rights', { year: new Date().getFullYear(), name: brand.name[language] })}
      </p>
    </>
  )
}

function QuickLinks() {
  const { t } = useTranslation('shell')
  const { likelyRole } = useSession()
  const appLink = useConfig()?.appLink ?? brand.androidAppUrl
  return (
    <nav aria-labelledby="footer-quick-links">
      <h2 id="footer-quick-links">{t('footer.quickLinks')}</h2>
      <ul className={links}>
        <li>
          <AppLink to={paths.home}>{t('footer.home')}</AppLink>
        </li>
        <li>
          <AppLink to={paths.privacyPolicy}>{t('footer.privacy')}</AppLink>
        </li>
        <li>
          <AppLink to={paths.terms}>{t('footer.terms')}</AppLink>
        </li>
        {likelyRole === null ? (
          <li>
            <AppLink to={paths.agentAuth}>{t('footer.agentLogin')}</AppLink>
          </li>
        ) : null}
        <li>
          <a href={appLink} data-config="appLink" target="_blank" rel="noopener">
            {t('footer.androidApp')}
          </a>
        </li>
      </ul>
    </nav>
  )
}

/** For pilgrims: agents cannot book. */
function Services() {
  const { t } = useTranslation('shell')
  return (
    <nav aria-labelledby="footer-services">
      <h2 id="footer-services">{t('footer.services')}</h2>
      <ul className={links}>
        <li>
          <AppLink to={paths.booking}>{t('bookNow')}</AppLink>
        </li>
        <li>
          <AppLink to={paths.orders}>{t('myOrders')}</AppLink>
        </li>
      </ul>
    </nav>
  )
}

function Contact() {
  const { t } = useTranslation('shell')
  return (
    <div>
      <h2>{t('footer.contact')}</h2>
      <ContactList />
    </div>
  )
}
