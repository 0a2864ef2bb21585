import { useId } from 'react'
import { Button } from './button.tsx'
import styles from './row.module.css'
import { Row } from './row.tsx'
import textStyles from './text.module.css'

interface SwitchRowProps {
  readonly title: string
  readonly state: string
  readonly text: string
  /** The error of the last switch. */
  readonly error: unknown
  readonly isBusy: boolean
  /** On the button. */
  readonly action: string
  /** Undefined when the setting cannot be switched. */
  readonly onSwitch: (() => void) | undefined
}

/** A setting that is on or off, and its switch. */
export function SwitchRow({ title, state, text, error, isBusy, action, onSwitch }: SwitchRowProps) {
  const textId = useId()
  return (
    <Row
      name={
        <dl className={styles.pair}>
          <dt className={textStyles.quiet}>{title}</dt>
          <dd>
            <span role="status">{state}</span>
          </dd>
        </dl>
      }
      text={text}
      textId={textId}
      problem={error}
    >
      {onSwitch === undefined ? null : (
        <Button look="quiet" aria-describedby={textId} isBusy={isBusy} onClick={onSwitch}>
          {action}
        </Button>
      )}
    </Row>
  )
}
