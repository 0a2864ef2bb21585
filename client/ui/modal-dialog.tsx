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
  /** It waits for an answer that cannot be taken back: nothing closes it. */
  readonly isLocked?: boolean
  readonly children: ReactNode
}

/** The browser's modal dialog, open while mounted: the page behind it is inert. */
export function ModalDialog({
  className,
  titled,
  onClose,
  isLight = false,
  isLocked = false,
  children,
}: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const language = useLanguage()
  const settling = useSettling()
  const closesOutside = isLight && !isLocked && !settling['data-settling']
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
      closedby={isLocked ? 'none' : closesOutside ? 'any' : 'closerequest'}
      {...settling}
      onCancel={(event) => {
        event.preventDefault()
        if (!isLocked) onClose()
      }}
      // Browsers without `closedby` do not let a page refuse a second Escape. In StrictMode the event of the first closing
      // arrives after the dialog was opened again.
      onClose={() => {
        if (dialog.current?.open !== false) return
        if (isLocked) dialog.current.showModal()
        else onClose()
      }}
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

/** Everything that browsers let Tab reach, before what is disabled, hidden or excluded by its `tabindex`. */
const focusable = [
  'a[href]',
  'area[href]',
  'button',
  'input:not([type="hidden"])',
  'select',
  'textarea',
  'details > summary:first-of-type',
  'iframe',
  'audio[controls]',
  'video[controls]',
  '[contenteditable]:not([contenteditable="false"])',
  '[tabindex]',
].join(', ')

/** Tab goes from the last control to the first and back, instead of to the browser's own controls. */
function keepFocusInside(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return
  const focused = event.currentTarget.ownerDocument.activeElement
  if (focused === null) return
  const inside = [...event.currentTarget.querySelectorAll<HTMLElement>(focusable)].filter(isTabStop)
  // The focused element may be no stop itself, as a heading or a legend.
  const ahead = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING
  const hasNext = inside.some(
    (each) => stopOf(each) !== stopOf(focused) && (focused.compareDocumentPosition(each) & ahead) !== 0,
  )
  if (hasNext) return
  event.preventDefault()
  inside.at(event.shiftKey ? -1 : 0)?.focus()
}

/** The radio buttons of a group are one tab stop. */
function stopOf(element: Element | null): Element | string | null {
  return isRadio(element) ? element.name : element
}

function isTabStop(element: HTMLElement): boolean {
  if (element.matches(':disabled, [tabindex^="-"], [inert], [inert] *')) return false
  // Missing in jsdom, and in old browsers.
  if (element.checkVisibility?.() === false) return false
  if (!isRadio(element) || element.checked) return true
  const group = [...(element.closest('dialog')?.querySelectorAll<HTMLInputElement>('[type="radio"]') ?? [])]
  return !group.some(({ checked }) => checked) && group[0] === element
}

function isRadio(element: Element | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.type === 'radio'
}
