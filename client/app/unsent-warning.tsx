import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalDialog } from '#client/ui/modal-dialog.tsx'
import './unsent-warning.css'
import './unsent-warning.texts.ts'
import '#client/ui/buttons.css'

interface UnsentWarningProps {
  readonly count: number
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** Before an agent signs out while confirmations wait: only the same agent, on this device, can send them later. */
export function UnsentWarning({ count, onStay, onLeave }: UnsentWarningProps) {
  const { t } = useTranslation('unsent-warning')
  const titleId = useId()
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <ModalDialog className="unsent-warning" titled={{ by: titleId }} onClose={onStay}>
      <h2 id={titleId} className="unsent-title">
        {t('title', { count })}
      </h2>
      <p>{t('text')}</p>
      <button ref={stay} type="button" className="button button-primary button-wide" onClick={onStay}>
        {t('stay')}
      </button>
      <button type="button" className="button button-quiet button-wide" onClick={onLeave}>
        {t('leave')}
      </button>
    </ModalDialog>
  )
}
