import { useTranslation } from '#client/platform/i18n.ts'
import { useAfter } from '#client/platform/time.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import styles from './handovers.module.css'
import type { Reading } from './readings.rules.ts'
import { type CameraState, useCamera } from './use-camera.ts'

/** After this long without a barcode the page shows the agent what may help. */
const slowAfterMs = 10_000

interface ScannerProps {
  /** False while a bag is on screen: the camera keeps running, out of sight. */
  readonly isActive: boolean
  /** The last barcode, from the camera or a hand scanner, was not the barcode of an airway bill. */
  readonly isWrong: boolean
  readonly onReading: (reading: Reading) => void
}

export function Scanner({ isActive, isWrong, onReading }: ScannerProps) {
  const { t } = useTranslation('handovers')
  const camera = useCamera({ isReading: isActive, onReading })
  const isSlow = useAfter(slowAfterMs, isActive && camera.state === 'on' && !isWrong)
  const hasPicture = camera.state === 'on' || camera.state === 'unreadable'
  return (
    <section
      className={classes(isActive && layout.stack, layout.gap3)}
      aria-label={t('camera.title')}
      hidden={!isActive}
    >
      <div className={styles.scannerView} hidden={!hasPicture}>
        <video ref={camera.video} className={styles.scannerVideo} playsInline muted />
        <div className={styles.scannerFrame} aria-hidden="true" />
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
      </div>
      <ScannerNote state={camera.state} isSlow={isSlow} isWrong={isWrong} onRetry={camera.retry} />
      {hasPicture && camera.cameras.length > 1 ? (
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
      ) : null}
    </section>
  )
}

interface NoteProps {
  readonly state: CameraState
  readonly isSlow: boolean
  readonly isWrong: boolean
  readonly onRetry: () => void
}

/** The instruction for the agent. Screen readers announce each change. */
function ScannerNote({ state, isSlow, isWrong, onRetry }: NoteProps) {
  const { t } = useTranslation('handovers')
  const isProblem = state !== 'starting' && state !== 'on'
  const tone = isProblem && !isWrong ? 'error' : isWrong || isSlow ? 'pending' : undefined
  return (
    <>
      <div role="status">
        <Note tone={tone} icon={isProblem || isWrong ? 'alert' : 'barcode'}>
          {t(textKeyOf({ state, isSlow, isWrong }))}
        </Note>
      </div>
      {isProblem && state !== 'none' ? <Button onClick={onRetry}>{t('camera.retry')}</Button> : null}
    </>
  )
}

/** A barcode that was just read, perhaps by a hand scanner, takes precedence over the state of the camera. */
function textKeyOf({ state, isSlow, isWrong }: Omit<NoteProps, 'onRetry'>) {
  if (isWrong) return 'camera.wrong'
  if (state === 'starting') return 'camera.starting'
  if (state !== 'on') return `camera.problem.${state}` as const
  return isSlow ? 'camera.slow' : 'camera.aim'
}
