import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/platform/connection.ts'
import './connection-note.css'
import './shell.texts.ts'

/** Sticks below the top bar. The live region is always mounted, so that changes are announced. */
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
