import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import styles from './dialog.module.css'
import { ModalDialog } from './modal-dialog.tsx'
import { useDialogEntry } from './use-dialog-entry.ts'

interface DialogProps {
  readonly title: string
  /** Escape, or Back. */
  readonly onClose: () => void
  /** It waits for an answer that cannot be taken back: nothing closes it. */
  readonly isLocked?: boolean
  /** Fills the screen of a phone. */
  readonly isWhole?: boolean
  readonly children: ReactNode
}

/** A question with its answers, or a form. */
export function Dialog({ title, onClose, isLocked = false, isWhole = false, children }: DialogProps) {
  const titleId = useId()
  useDialogEntry(onClose, isLocked)
  return (
    <ModalDialog
      className={isWhole ? `${styles.dialog} ${styles.whole}` : styles.dialog}
      titled={{ by: titleId }}
      onClose={onClose}
      isLocked={isLocked}
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
