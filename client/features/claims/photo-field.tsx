import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import fieldStyles from '#client/ui/field.module.css'
import { Icon } from '#client/ui/icon.tsx'
import textStyles from '#client/ui/text.module.css'
import { photoNumbers } from '#shared/claims/claims.schemas.ts'
import styles from './claims.module.css'
import type { Photo } from './photo.ts'

interface PhotoFieldProps {
  /** Addresses of the pictures. */
  readonly photos: readonly string[]
  readonly onAdd: (photo: Photo) => void
  /** Absent where they are stored already. */
  readonly onRemove?: (index: number) => void
  /** Why the last one did not arrive. */
  readonly error?: string | undefined
  readonly isBusy?: boolean
}

/** Photographs of the bag: chosen or taken, drawn anew on this page, and shown small. */
export function PhotoField({ photos, onAdd, onRemove, error, isBusy = false }: PhotoFieldProps) {
  const { t } = useTranslation('claims')
  const input = useRef<HTMLInputElement>(null)
  const [isDrawing, setIsDrawing] = useState(false)
  const [isRefused, setIsRefused] = useState(false)
  const isWorking = isDrawing || isBusy

  async function take(file: Blob | undefined): Promise<void> {
    if (file === undefined) return
    setIsRefused(false)
    setIsDrawing(true)
    try {
      // What draws is loaded with the first picture.
      const { takePhoto } = await import('./photo.ts')
      const photo = await takePhoto(file)
      setIsRefused(photo === undefined)
      if (photo !== undefined) onAdd(photo)
    } catch {
      setIsRefused(true)
    } finally {
      setIsDrawing(false)
    }
  }

  const message = isRefused ? t('photos.refused') : error
  return (
    <div>
      <h2 className={styles.question}>
        {t('photos.title')} <span className={styles.optional}>{t('photos.optional')}</span>
      </h2>
      <div className={styles.photos}>
        {photos.map((photo, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one picture may be there twice
          <figure key={index} className={styles.photo}>
            <img src={photo} alt={t('photos.photo', { number: index + 1 })} />
            {onRemove === undefined ? null : (
              <button
                type="button"
                className={styles.remove}
                aria-label={t('photos.remove', { number: index + 1 })}
                onClick={() => {
                  onRemove(index)
                  input.current?.focus()
                }}
              >
                <Icon name="cross" />
              </button>
            )}
          </figure>
        ))}
        {photos.length < photoNumbers.length ? (
          <label className={styles.add} aria-disabled={isWorking}>
            <input
              ref={input}
              type="file"
              accept="image/*"
              className="visually-hidden"
              disabled={isWorking}
              onChange={({ target }) => {
                void take(target.files?.[0])
                // The same file may be chosen again.
                target.value = ''
              }}
            />
            <Icon name="camera" />
            {isWorking ? t('photos.working') : t('photos.add')}
          </label>
        ) : null}
        <p className={`${textStyles.hint} ${styles.photosHint}`}>{t('photos.hint')}</p>
      </div>
      <p className={fieldStyles.error} role="alert">
        {message}
      </p>
    </div>
  )
}
