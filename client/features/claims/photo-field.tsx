import type { Photo } from '#client/entities/claim/photo.ts'
import { usePhoto } from '#client/entities/claim/use-photo.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import fieldStyles from '#client/ui/field.module.css'
import { focusPlace } from '#client/ui/focus.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import textStyles from '#client/ui/text.module.css'
import { photoNumbers } from '#shared/claims/claims.operations.ts'
import styles from './claims.module.css'

interface PhotoFieldProps {
  /** Addresses of the pictures. */
  readonly photos: readonly string[]
  readonly onAdd: (photo: Photo) => void
  /** Absent when the photographs are already stored. */
  readonly onRemove?: (index: number) => void
  /** The address of the picture of the hand-over, if there is one. It stands beside the new ones. */
  readonly before?: string | undefined
  /** Why the last photograph failed. */
  readonly error?: string | undefined
  readonly isBusy?: boolean
}

/** Photographs of the bag: the user chooses or takes them, the page redraws them, and shows them small. */
export function PhotoField({ photos, onAdd, onRemove, before, error, isBusy = false }: PhotoFieldProps) {
  const { t } = useTranslation('claims')
  const { field, isDrawing, isRefused } = usePhoto(onAdd)
  const isWorking = isDrawing || isBusy
  const message = isRefused ? t('photos.refused') : error
  return (
    <div>
      <h2 className={styles.question}>
        {t('photos.title')}{' '}
        <span className={`${textStyles.quiet} ${styles.optional}`}>{t('photos.optional')}</span>
      </h2>
      <div ref={focusPlace} className={`${layout.cluster} ${layout.gap3}`}>
        {before === undefined ? null : (
          <figure className={styles.photo}>
            <img src={before} alt={t('photos.before')} />
            <figcaption className={textStyles.quiet}>{t('photos.atHandover')}</figcaption>
          </figure>
        )}
        {photos.map((photo, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one picture may be there twice
          <figure key={index} className={styles.photo}>
            <img src={photo} alt={t('photos.photo', { number: index + 1 })} />
            {before === undefined ? null : (
              <figcaption className={textStyles.quiet}>{t('photos.now')}</figcaption>
            )}
            {onRemove === undefined ? null : (
              <button
                type="button"
                className={`${layout.grid} ${styles.remove}`}
                aria-label={t('photos.remove', { number: index + 1 })}
                onClick={() => onRemove(index)}
              >
                <Icon name="cross" />
              </button>
            )}
          </figure>
        ))}
        {photos.length < photoNumbers.length ? (
          <label className={`${layout.stack} ${layout.gap1} ${styles.add}`} aria-disabled={isWorking}>
            <input data-start {...field} className="visually-hidden" disabled={isWorking} />
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
