import { memo, type ReactNode } from 'react'
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

// An entry of the history renders neither again.
const ShortFooter = memo(function ShortFooter() {
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
})

const WholeFooter = memo(function WholeFooter() {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const { likelyRole } = useSession()
  const appLink = useConfig()?.appLink ?? brand.androidAppUrl
  return (
    <>
      <div className={`${layout.grid} ${layout.gap3} ${styles.footerInner}`}>
        <div>
          <p className={styles.footerName}>{brand.name[language]}</p>
          <p className={styles.footerTagline}>{brand.tagline[language]}</p>
          <p>{brand.description[language]}</p>
        </div>
        <Links
          name="quickLinks"
          to={{
            [paths.home]: t('footer.home'),
            [paths.privacyPolicy]: t('footer.privacy'),
            [paths.terms]: t('footer.terms'),
            ...(likelyRole === null && { [paths.agentAuth]: t('footer.agentLogin') }),
          }}
        >
          <li>
            <a href={appLink} data-config="appLink" target="_blank" rel="noopener">
              {t('footer.androidApp')}
            </a>
          </li>
        </Links>
        {/* Agents cannot book. */}
        {likelyRole === 'agent' ? null : (
          <Links name="services" to={{ [paths.booking]: t('bookNow'), [paths.orders]: t('myOrders') }} />
        )}
        <div>
          <h2>{t('footer.contact')}</h2>
          <ContactList />
        </div>
      </div>
      <p className={styles.footerRights}>
        {t('footer.rights', { year: new Date().getFullYear(), name: brand.name[language] })}
      </p>
    </>
  )
})

interface LinksProps {
  readonly name: 'quickLinks' | 'services'
  /** The text of the link to each path. */
  readonly to: Readonly<Record<string, string>>
  /** Further items of the list. */
  readonly children?: ReactNode
}

function Links({ name, to, children }: LinksProps) {
  const { t } = useTranslation('shell')
  const id = `footer-${name}`
  return (
    <nav aria-labelledby={id}>
      <h2 id={id}>{t(`footer.${name}`)}</h2>
      <ul className={`${layout.cluster} ${layout.gap5} ${styles.footerLinks}`}>
        {Object.entries(to).map(([path, text]) => (
          <li key={path}>
            <AppLink to={path}>{text}</AppLink>
          </li>
        ))}
        {children}
      </ul>
    </nav>
  )
}
