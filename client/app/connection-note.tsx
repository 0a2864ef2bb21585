import { useLocation } from 'react-router-dom'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { pageAt } from '#shared/platform/pages.ts'
import styles from './connection-note.module.css'
import { routes } from './routes.ts'

/** True for pages of the booking, whose draft stays in the browser until it is paid. */
function keepsChoices(pathname: string): boolean {
  const name = pageAt(pathname)
  if (name === undefined) return false
  const route = routes[name]
  return route.layout === 'booking' && route.shows === undefined
}

/** Below the top bar, and in view when that has scrolled away. The live region is always mounted, so that changes are announced. */
export function ConnectionNote() {
  const { t } = useTranslation('shell')
  const connection = useConnection()
  const { pathname } = useLocation()
  const said = connection === 'good' ? '' : t(`connection.${connection}`)
  return (
    <div className={styles.connection} aria-live="polite">
      {connection === 'good' ? null : (
        <p className={`${layout.line} ${layout.gap3} ${styles.connectionNote}`}>
          <Icon name={connection === 'offline' ? 'offline' : 'clock'} />
          <span>{keepsChoices(pathname) ? `${said} ${t('connection.choicesKept')}` : said}</span>
        </p>
      )}
    </div>
  )
}
