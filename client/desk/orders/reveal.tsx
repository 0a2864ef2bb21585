import { lazy } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { DialogButton } from '../dialog-button.tsx'
import type { RevealProps } from './reveal-dialog.tsx'

const RevealDialog = lazy(async () => ({ default: (await import('./reveal-dialog.tsx')).RevealDialog }))

/** Button that shows names and phones for a minute, after the operator has given a reason. */
export function RevealButton(props: RevealProps) {
  const { t } = useTranslation('desk-orders')
  return (
    <DialogButton text={t('reveal.open')} icon="eye">
      {(close) => <RevealDialog {...props} onClose={close} />}
    </DialogButton>
  )
}
