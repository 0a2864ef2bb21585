import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/platform/connection.ts'
import './connection-note.css'
import './shell.texts.ts'

/** Under the top bar, wherever the page is scrolled to. The region is always there, so that its words are announced. */
export function ConnectionNote() {
  const { t } = useTranslation('shell')
  const connection = useConnection()
  return (
    <div aria-live="polite">
      {connection === 'good' ? null : (
        <p className={`connection-note connection-${connection}`}>{t(`connection.${connection}`)}</p>
      )}
    </div>
  )
}
