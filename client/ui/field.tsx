import { type ReactNode, useId } from 'react'
import styles from './field.module.css'
import layout from './layout.module.css'

interface FieldControl {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface FieldProps {
  /** Id of the control, where other elements refer to it. */
  id?: string | undefined
  label: string
  /** The message that names the mistake and how to correct it; it marks the field invalid. */
  error?: string | undefined
  hint?: string | undefined
  /** Renders the control with the attributes that connect it to label and message. */
  children: (control: FieldControl) => ReactNode
}

/** A labelled control with its message below it. */
export function Field({ id: givenId, label, error, hint, children }: FieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  const messageId = `${id}-message`
  const message = error ?? hint
  return (
    <div className={`${layout.stack} ${layout.gap1}`}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': message === undefined ? undefined : messageId,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {message === undefined ? null : (
        <p id={messageId} className={error === undefined ? styles.hint : styles.error}>
          {message}
        </p>
      )}
    </div>
  )
}
