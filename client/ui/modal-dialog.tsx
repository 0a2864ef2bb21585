import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { languages } from '#shared/platform/language.ts'
import { classes } from './classes.ts'
import styles from './modal-dialog.module.css'
import { ToastRegion } from './toast.tsx'
import { useSettling } from './use-settling.ts'

interface ModalDialogProps {
  /** Its size and place; modal-dialog.module.css has neither. */
  readonly className: string | undefined
  /** The id of its heading, or its name where it has none. */
  readonly titled: { readonly by: string } | { readonly as: string }
  /** Escape, or the back gesture of the phone. */
  readonly onClose: () => void
  /** A press outside of it closes it, too. */
  readonly isLight?: boolean
  readonly children: ReactNode
}

/** The browser's modal dialog, open while mounted: the page behind it is inert. */
export function ModalDialog({ className, titled, onClose, isLight = false, children }: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const language = useLanguage()
  const settling = useSettling()
  const closesOutside = isLight && !settling['data-settling']
  // Before the effects that place the focus. Closed before it leaves the document, so that the focus returns.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classes(styles.modalDialog, className)}
      // It may be opened from a field that is always left to right.
      dir={languages[language].direction}
      aria-label={'as' in titled ? titled.as : undefined}
      aria-labelledby={'by' in titled ? titled.by : undefined}
      closedby={closesOutside ? 'any' : 'closerequest'}
      {...settling}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Browsers do not let a page refuse a second Escape. In StrictMode the event of the first closing arrives after
      // the dialog was opened again.
      onClose={() => dialog.current?.open === false && onClose()}
      // Browsers without `closedby` (Safari): a press on the scrim reaches the dialog itself.
      onClick={({ target, currentTarget }) => {
        if (closesOutside && !hasClosedBy() && target === currentTarget) onClose()
      }}
      onKeyDown={keepFocusInside}
    >
      <ToastRegion />
      {children}
    </dialog>
  )
}

function hasClosedBy(): boolean {
  return 'closedBy' in HTMLDialogElement.prototype
}

const stops = 'a[href], button:not(:disabled, [tabindex="-1"]), input:not(:disabled)'

/** Tab goes from the last control to the first and back, instead of to the browser's own controls. */
function keepFocusInside(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return
  const inside = [...event.currentTarget.querySelectorAll<HTMLElement>(stops)].filter(isTabStop)
  const focused = event.currentTarget.ownerDocument.activeElement
  const place = inside.findIndex((each) => stopOf(each) === stopOf(focused))
  const isAtEnd = event.shiftKey ? place <= 0 : place === inside.length - 1
  if (!isAtEnd) return
  event.preventDefault()
  inside.at(event.shiftKey ? -1 : 0)?.focus()
}

/** The radio buttons of a group are one tab stop. */
function stopOf(element: Element | null): Element | string | null {
  return isRadio(element) ? element.name : element
}

function isTabStop(element: HTMLElement): boolean {
  if (!isRadio(element) || element.checked) return true
  const group = [...(element.closest('dialog')?.querySelectorAll<HTMLInputElement>('[type="radio"]') ?? [])]
  return !group.some(({ checked }) => checked) && group[0] === element
}

function isRadio(element: Element | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.type === 'radio'
}
