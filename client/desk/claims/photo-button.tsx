import { Button } from 'antd'
import { useRef } from 'react'
import type { Photo } from '#client/entities/claim/photo.ts'
import { usePhoto } from '#client/entities/claim/use-photo.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'

interface PhotoButtonProps {
  onAdd: (photo: Photo) => void
  isBusy?: boolean
}

/** Adds a photograph that the owner sent outside of the app. */
export function PhotoButton({ onAdd, isBusy = false }: PhotoButtonProps) {
  const { t } = useTranslation('desk-claims')
  const input = useRef<HTMLInputElement>(null)
  const { field, isDrawing, isRefused } = usePhoto(onAdd)
  const isOffline = useConnection() === 'offline'
  return (
    <>
      <input ref={input} {...field} hidden />
      <Button
        size="small"
        disabled={isOffline}
        loading={isDrawing || isBusy}
        onClick={() => input.current?.click()}
      >
        {t('photoAdd')}
      </Button>
      {isRefused ? <p role="alert">{t('photoRefused')}</p> : null}
    </>
  )
}
