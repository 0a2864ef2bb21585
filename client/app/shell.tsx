import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation } from 'react-router-dom'
import { useSessions } from '#client/features/sessions/sessions.state.tsx'
import { inLanguage } from '#client/platform/bilingual.ts'
import { setLanguage, useLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { brand } from '#shared/platform/brand.ts'
import { languages } from '#shared/platform/language.ts'
import { configQuery } from './config.queries.ts'
import { ConnectionNote } from './connection-note.tsx'
import { AppLink } from './documents.tsx'
import { useLeave } from './leave.ts'
import { Logo } from './logo.tsx'
import { PageFailure } from './page-failure.tsx'
import { preloadPage } from './pages.ts'
import { useScrollToTop } from './scroll.ts'
import '#client/ui/buttons.css'
import './shell.css'
import './shell.texts.ts'

const contentId = 'content'

/** Top bar, page, footer. */
export function Shell() {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  useScrollToTop()
  useDescription()
  // Here, above everything that waits: the chunk of the page then loads beside the session and the controls.
  useEffect(() => preloadPage(pathname), [pathname])
  return (
    <>
      <StartTitle />
      <a className="skip-link" href={`#${contentId}`}>
        {t('skip')}
      </a>
      <TopBar />
      <main id={contentId} className="content" tabIndex={-1}>
        <ErrorBoundary resetKey={pathname} fallback={(problem) => <PageFailure problem={problem} />}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
    </>
  )
}

/**
 * The title until a page has one: the served document may speak another language. A component before the page,
 * because effects run in this order: the page's own title must come last.
 */
function StartTitle() {
  useDocumentTitle()
  return null
}

/** What search engines and shared links quote, in the language on screen. */
function useDescription(): void {
  const language = useLanguage()
  useEffect(() => {
    document.querySelector('meta[name="description"]')?.setAttribute('content', brand.description[language])
  }, [language])
}

function TopBar() {
  const language = useLanguage()
  const { state, isRestoring } = useSessions()
  return (
    <header className="bar">
      <div className="bar-inner">
        <AppLink className="bar-brand" to={paths.home}>
          <Logo />
          <span>{brand.name[language]}</span>
        </AppLink>
        <div className="bar-end">
          {isRestoring ? <Loading size="inline" /> : state.role === null ? <LoginLink /> : <AccountMenu />}
          <LanguageToggle />
        </div>
      </div>
      <ConnectionNote />
    </header>
  )
}

function LoginLink() {
  const { t } = useTranslation('shell')
  return (
    <AppLink className="button button-primary bar-login" to={paths.auth}>
      {t('login')}
    </AppLink>
  )
}

/** What a signed-in person may open. On phones it folds away behind a button. */
function AccountMenu() {
  const { t } = useTranslation('shell')
  const { user, agent, role } = useSessions().state
  const { pathname } = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()

  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere else is what closes the menu
  useEffect(() => setIsOpen(false), [pathname])

  return (
    <nav
      className="account"
      aria-label={t('account')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setIsOpen(false)
      }}
    >
      <button
        type="button"
        className="button account-toggle"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {t('menu')}
      </button>
      <ul id={listId} className={isOpen ? 'account-list is-open' : 'account-list'}>
        <li className="account-name">
          <OwnAccountLink person={role === 'agent' ? agent : user} />
        </li>
        {role === 'user' ? (
          <>
            <li>
              <AccountLink to={paths.booking} text={t('bookNow')} />
            </li>
            <li>
              <AccountLink to={paths.orders} text={t('myOrders')} />
            </li>
          </>
        ) : null}
        <li>
          <LogoutButton />
        </li>
      </ul>
    </nav>
  )
}

function AccountLink({ to, text }: { to: string; text: string }) {
  const { pathname } = useLocation()
  return (
    <AppLink className="account-link" to={to} aria-current={pathname === to ? 'page' : undefined}>
      {text}
    </AppLink>
  )
}

/** The name leads to what is kept under it. */
function OwnAccountLink({ person }: { person: Person | null }) {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const language = useLanguage()
  if (person === null) return null
  const name = person.name === null ? person.phone : inLanguage(person.name, language)
  return (
    <AppLink
      className="account-link account-own"
      to={paths.account}
      aria-label={name === null ? undefined : t('ownAccount', { name })}
      aria-current={pathname === paths.account ? 'page' : undefined}
    >
      <Icon name="person" />
      {name === null ? t('account') : <PersonName person={person} />}
    </AppLink>
  )
}

interface Person {
  readonly name: string | null
  readonly phone: string | null
}

function PersonName({ person }: { person: Person | null }) {
  const language = useLanguage()
  if (person === null) return null
  if (person.name !== null) return <bdi>{inLanguage(person.name, language)}</bdi>
  return person.phone === null ? null : <Ltr>{person.phone}</Ltr>
}

function LogoutButton() {
  const { t } = useTranslation('shell')
  const leave = useLeave()
  const [isLeaving, setIsLeaving] = useState(false)

  function onClick(): void {
    if (isLeaving) return
    setIsLeaving(true)
    void leave()
  }

  return (
    <button type="button" className="account-link" aria-disabled={isLeaving} onClick={onClick}>
      {isLeaving ? t('loggingOut') : t('logout')}
    </button>
  )
}

/** Named by the language it leads to, in that language. */
function LanguageToggle() {
  const other = useLanguage() === 'ar' ? languages.en : languages.ar
  return (
    <button
      type="button"
      className="button button-quiet language-toggle"
      lang={other.code}
      dir={other.direction}
      onClick={() => setLanguage(other.code)}
    >
      {other.label}
    </button>
  )
}

function Footer() {
  const { t } = useTranslation('shell')
  const language = useLanguage()
  const { state, isRestoring } = useSessions()
  const config = useQuery(configQuery).data
  const contact = config?.contact ?? brand.contact
  const isVisitor = !isRestoring && state.role === null
  return (
    <footer className="footer">
      <div className="footer-inner">
        <div className="footer-brand">
          <p className="footer-name">{brand.name[language]}</p>
          <p className="footer-tagline">{brand.tagline[language]}</p>
          <p>{brand.description[language]}</p>
        </div>
        <nav aria-labelledby="footer-quick-links">
          <h2 id="footer-quick-links">{t('footer.quickLinks')}</h2>
          <ul>
            <li>
              <AppLink to={paths.home}>{t('footer.home')}</AppLink>
            </li>
            <li>
              <AppLink to={paths.privacyPolicy}>{t('footer.privacy')}</AppLink>
            </li>
            {isVisitor ? (
              <li>
                <AppLink to={paths.agentAuth}>{t('footer.agentLogin')}</AppLink>
              </li>
            ) : null}
            <li>
              <a href={config?.appLink ?? brand.androidAppUrl} target="_blank" rel="noopener">
                {t('footer.androidApp')}
              </a>
            </li>
          </ul>
        </nav>
        <nav aria-labelledby="footer-services">
          <h2 id="footer-services">{t('footer.services')}</h2>
          <ul>
            <li>
              <AppLink to={paths.booking}>{t('bookNow')}</AppLink>
            </li>
            <li>
              <AppLink to={paths.orders}>{t('myOrders')}</AppLink>
            </li>
          </ul>
        </nav>
        <div>
          <h2>{t('footer.contact')}</h2>
          <dl className="footer-contact">
            <dt>{t('footer.email')}</dt>
            <dd>
              <Ltr>{contact.email}</Ltr>
            </dd>
            <dt>{t('footer.phone')}</dt>
            <dd>
              <Ltr>{contact.phone}</Ltr>
            </dd>
            <dt>{t('footer.address')}</dt>
            <dd>{contact.address[language]}</dd>
          </dl>
        </div>
      </div>
      <p className="footer-rights">
        {t('footer.rights', { year: new Date().getFullYear(), name: brand.name[language] })}
      </p>
    </footer>
  )
}
