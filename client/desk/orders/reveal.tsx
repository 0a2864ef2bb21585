import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { DeskIcon } from '../desk-icon.tsx'
import type { RevealProps } from './reveal-dialog.tsx'

const RevealDialog = lazy(async () => ({ default: (await import('./reveal-dialog.tsx')).RevealDialog }))

/** Button that shows names and phones for a minute, after the operator has given a reason. */
export function RevealButton(props: RevealProps) {
  const { t } = useTranslation('desk-orders')
  const [isOpen, setIsOpen] = useState(false)
  const isOffline = useConnection() === 'offline'
  return (
    <>
      <Button
        size="small"
        icon={<DeskIcon name="eye" />}
        disabled={isOffline}
        onClick={() => setIsOpen(true)}
      >
        {t('reveal.open')}
      </Button>
      <Suspense fallback={null}>
        {isOpen ? <RevealDialog {...props} onClose={() => setIsOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
