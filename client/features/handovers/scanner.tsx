import { useTranslation } from '#client/platform/i18n.ts'
import { useAfter } from '#client/platform/time.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import styles from './handovers.module.css'
import type { CameraState, ScanCamera } from './use-camera.ts'

/** After this long without a barcode the page shows the agent what may help. */
const slowAfterMs = 10_000

interface ScannerProps {
  readonly camera: ScanCamera
  /**
   * `barcode`: the camera looks for the next barcode. `bag`: it shows the bag that may be confirmed, whose picture the press
   * takes. `nothing`: it keeps running, out of sight.
   */
  readonly shows: 'barcode' | 'bag' | 'nothing'
  /** The last barcode, from the camera or a hand scanner, was not the barcode of an airway bill. */
  readonly isWrong: boolean
}

export function Scanner({ camera, shows, isWrong }: ScannerProps) {
  const { t } = useTranslation('handovers')
  const { hasPicture } = camera
  const isLooking = shows === 'barcode'
  const isSlow = useAfter(slowAfterMs, isLooking && camera.state === 'on' && !isWrong)
  const isShown = isLooking || (shows === 'bag' && hasPicture)
  return (
    <section
      className={classes(isShown && layout.stack, shows === 'bag' && styles.live)}
      aria-label={t('camera.title')}
      hidden={!isShown}
    >
      <div
        className={classes(
          styles.scannerView,
          hasPicture && styles.hasPicture,
          shows === 'bag' && styles.isBag,
        )}
      >
        <video ref={camera.video} className={styles.scannerVideo} playsInline muted hidden={!hasPicture} />
        {isLooking && hasPicture ? <div className={styles.scannerFrame} aria-hidden="true" /> : null}
        {camera.torch === null ? null : (
          <button
            type="button"
            className={`${buttonStyles.chip} ${styles.scannerLight}`}
            aria-pressed={camera.torch.isOn}
            onClick={() => void camera.torch?.set(!camera.torch.isOn)}
          >
            {t('camera.light')}
          </button>
        )}
        <Say camera={camera} shows={shows} isSlow={isSlow} isWrong={isWrong} />
      </div>
      {isLooking && hasPicture && camera.cameras.length > 1 ? (
        <div className={styles.cameras}>
          <Field label={t('camera.choose')}>
            {(control) => (
              <select
                {...control}
                className={fieldStyles.input}
                value={camera.deviceId}
                onChange={({ target }) => camera.choose(target.value)}
              >
                {camera.cameras.map(({ deviceId, label }, index) => (
                  <option key={deviceId} value={deviceId}>
                    {label === '' ? t('camera.unnamed', { number: index + 1 }) : label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      ) : null}
    </section>
  )
}

interface SayProps extends ScannerProps {
  readonly isSlow: boolean
}

/** The instruction for the agent: over the picture, or in its place. Screen readers announce each change. */
function Say({ camera: { state, hasPicture, retry }, shows, isSlow, isWrong }: SayProps) {
  const { t } = useTranslation('handovers')
  const isProblem = state !== 'starting' && state !== 'on'
  // A device without a camera works with a hand scanner: nothing is wrong.
  const isError = isProblem && state !== 'none' && !isWrong
  const tone = isError ? 'error' : isWrong || isSlow ? 'pending' : undefined
  const text = shows === 'bag' ? t('photo.only') : t(textKeyOf({ state, isSlow, isWrong }))
  const isPlain = shows === 'bag' || (hasPicture && tone === undefined)
  return (
    <div className={styles.say}>
      <div role="status">
        {isPlain ? (
          <p className={`${layout.line} ${layout.gap2} ${styles.sayPlain}`}>
            {shows === 'bag' ? <Icon name="camera" /> : null}
            <span>{text}</span>
          </p>
        ) : (
          <Note tone={tone} icon={isError || isWrong ? 'alert' : 'barcode'}>
            {text}
          </Note>
        )}
      </div>
      {shows === 'barcode' && isProblem && state !== 'none' ? (
        <Button onClick={retry}>{t('camera.retry')}</Button>
      ) : null}
    </div>
  )
}

interface TextOptions {
  readonly state: CameraState
  readonly isSlow: boolean
  readonly isWrong: boolean
}

/** A barcode that was just read, perhaps by a hand scanner, takes precedence over the state of the camera. */
function textKeyOf({ state, isSlow, isWrong }: TextOptions) {
  if (isWrong) return 'camera.wrong'
  if (state === 'starting') return 'camera.starting'
  if (state !== 'on') return `camera.problem.${state}` as const
  return isSlow ? 'camera.slow' : 'camera.aim'
}
