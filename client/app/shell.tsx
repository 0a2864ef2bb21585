import { useEffect } from 'react'
import { Outlet } from 'react-router-dom'
import { followLanguage, useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useRefocus } from '#client/platform/use-refocus.ts'
import { useSessionChecks } from '#client/session/session.ts'
import { useOverlayEntries } from '#client/ui/overlay-entries.ts'
import { useDocumentTitle } from '#client/ui/page-heading.ts'
import { Toasts } from '#client/ui/toast.tsx'
import { brand } from '#shared/platform/brand.ts'
import { Footer } from './footer.tsx'
import { useNavigationEffects } from './navigation.ts'
import { PaymentTestNote } from './payment-test-note.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

const contentId = 'content'

/** Top bar, page, footer. */
export function Shell() {
  const { t } = useTranslation('shell')
  return (
    <>
      <StartTitle />
      <Toasts />
      <a className={styles.skipLink} href={`#${contentId}`} data-screen>
        {t('skip')}
      </a>
      <TopBar />
      <PaymentTestNote />
      <main id={contentId} className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      <FrameEffects />
    </>
  )
}

/**
 * Runs after the effects of the page. A component of its own, so that an entry of the history, which each overlay adds, does not
 * render the whole frame again in the press that opens it.
 */
function FrameEffects() {
  useNavigationEffects()
  useOverlayEntries()
  useDescription()
  useRefocus(followLanguage)
  useSessionChecks()
  return null
}

/**
 * The document's title until a page sets its own: the served title may be in another language. Rendered before the
 * page, because effects run in order and the page's title must come last.
 */
function StartTitle() {
  useDocumentTitle()
  return null
}

/** The description for search engines and link previews, in the language on screen. */
function useDescription(): void {
  const language = useLanguage()
  useEffect(() => {
    document.querySelector('meta[name="description"]')?.setAttribute('content', brand.description[language])
  }, [language])
}
