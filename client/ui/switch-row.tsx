import { useId } from 'react'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'
import styles from './row.module.css'
import textStyles from './text.module.css'

interface SwitchRowProps {
  readonly title: string
  readonly state: string
  readonly text: string
  /** Why the last switch failed. */
  readonly error: unknown
  readonly isBusy: boolean
  /** On the button. */
  readonly action: string
  /** Undefined where it cannot be switched. */
  readonly onSwitch: (() => void) | undefined
}

/** A setting that is on or off, and its switch. */
export function SwitchRow({ title, state, text, error, isBusy, action, onSwitch }: SwitchRowProps) {
  const textId = useId()
  return (
    <div className={styles.row}>
      <div className={styles.pair}>
        <dl className={styles.pair}>
          <dt className={textStyles.quiet}>{title}</dt>
          <dd role="status">{state}</dd>
        </dl>
        <p id={textId} className={textStyles.hint}>
          {text}
        </p>
        <Problem error={error} />
      </div>
      {onSwitch === undefined ? null : (
        <Button look="quiet" aria-describedby={textId} isBusy={isBusy} onClick={onSwitch}>
          {action}
        </Button>
      )}
    </div>
  )
}
