import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import { Overlay } from '#client/ui/overlay.tsx'

interface UnsentWarningProps {
  readonly count: number
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** The warning before an agent signs out while confirmations wait: only the same agent, on this device, can send them later. */
export function UnsentWarning({ count, onStay, onLeave }: UnsentWarningProps) {
  const { t } = useTranslation('unsent-warning')
  return (
    <Overlay kind="dialog" title={t('title', { count })} onClose={onStay}>
      <p>{t('text')}</p>
      <Button look="primary" isWide onClick={onStay} data-start>
        {t('stay')}
      </Button>
      <Button look="quiet" isWide onClick={onLeave}>
        {t('leave')}
      </Button>
    </Overlay>
  )
}
