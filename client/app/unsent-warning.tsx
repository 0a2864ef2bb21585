import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog, useStartFocus } from '#client/ui/dialog.tsx'

interface UnsentWarningProps {
  readonly count: number
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** Before an agent signs out while confirmations wait: only the same agent, on this device, can send them later. */
export function UnsentWarning({ count, onStay, onLeave }: UnsentWarningProps) {
  const { t } = useTranslation('unsent-warning')
  const stay = useStartFocus<HTMLButtonElement>()
  return (
    <Dialog title={t('title', { count })} onClose={onStay}>
      <p>{t('text')}</p>
      <Button ref={stay} look="primary" isWide onClick={onStay}>
        {t('stay')}
      </Button>
      <Button look="quiet" isWide onClick={onLeave}>
        {t('leave')}
      </Button>
    </Dialog>
  )
}
