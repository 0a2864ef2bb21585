import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import styles from './dialog.module.css'
import { ModalDialog } from './modal-dialog.tsx'

interface DialogProps {
  readonly title: string
  /** Escape, or the back gesture of the phone. */
  readonly onClose: () => void
  /** Fills the screen of a phone. */
  readonly isWhole?: boolean
  readonly children: ReactNode
}

/** A question with its answers, or a form. */
export function Dialog({ title, onClose, isWhole = false, children }: DialogProps) {
  const titleId = useId()
  return (
    <ModalDialog
      className={isWhole ? `${styles.dialog} ${styles.whole}` : styles.dialog}
      titled={{ by: titleId }}
      onClose={onClose}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
    </ModalDialog>
  )
}

/** A ref for the control that has the focus when it appears. */
export function useStartFocus<E extends HTMLElement>(): RefObject<E | null> {
  const start = useRef<E>(null)
  useEffect(() => start.current?.focus(), [])
  return start
}
