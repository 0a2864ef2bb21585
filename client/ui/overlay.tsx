import {
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { languages } from '#shared/platform/language.ts'
import buttonStyles from './button.module.css'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import layout from './layout.module.css'
import styles from './overlay.module.css'
import { useOverlayEntry } from './overlay-entries.ts'
import { hideToast, ToastRegion } from './toast.tsx'
import { useSettling } from './use-settling.ts'

interface OverlayProps {
  /**
   * `dialog`: a question or a form in a window. `full`: the same, over the whole screen of a phone. `sheet`: a list; on phones
   * from below the top bar to the bottom edge. It has a close button, and a press outside closes it, too.
   */
  readonly kind: 'dialog' | 'full' | 'sheet'
  /** Its heading and its name. */
  readonly title: string
  /** Called by Escape, Back, the close button and a press outside. */
  readonly onClose: () => void
  /** True while a request that cannot be undone is under way: nothing closes the overlay. */
  readonly isLocked?: boolean
  /**
   * Its content has a heading of its own, which names it where `labelledBy` is its id. It has the whole screen, unless `className`
   * sets another size and place.
   */
  readonly isBare?: boolean
  readonly labelledBy?: string
  readonly className?: string | undefined
  /** Only for a sheet: parts below the title and at the bottom edge. Both stay in view while the content scrolls. */
  readonly top?: ReactNode
  readonly bottom?: ReactNode
  /** The element that gets the focus when the overlay is closed. Default: the element that had the focus before. */
  readonly returnTo?: (() => HTMLElement | null | undefined) | undefined
  readonly children: ReactNode
}

/** What is chosen already in the list of a sheet, which is in view from the start. */
const chosen = '[role="radiogroup"] :checked, [data-row][aria-current]'

/**
 * The browser's modal dialog, open while mounted. The page behind it is inert; Back, Escape and its buttons close it, and the
 * focus returns. It starts at the element marked `data-start`.
 */
export function Overlay(props: OverlayProps) {
  const { kind, title, onClose, isLocked = false, isBare = false, labelledBy, children } = props
  const { t } = useTranslation('ui')
  const language = useLanguage()
  const titleId = useId()
  const settling = useSettling()
  const isSheet = kind === 'sheet'
  const closesOutside = isSheet && !isLocked && !settling['data-settling']
  const dialog = useDialog(props)
  // The press is answered by the frame of the sheet; its rows are rendered in slices after it.
  const hasContent = useDeferredValue(true, !isSheet)
  useLayoutEffect(() => {
    if (!isSheet || !hasContent) return
    const row = dialog.current?.querySelector(chosen)?.closest('label, [data-row]')
    // Missing in jsdom.
    row?.scrollIntoView?.({ block: 'center' })
  }, [isSheet, hasContent, dialog])
  useOverlayEntry(onClose, isLocked)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it
    <dialog
      ref={dialog}
      className={classes(
        layout.stack,
        !(isBare || isSheet) && layout.gap4,
        styles.overlay,
        isBare ? styles.bare : styles[kind],
        props.className,
      )}
      // It may be opened from a field that is always left to right.
      dir={languages[language].direction}
      aria-label={isBare ? title : undefined}
      aria-labelledby={isBare ? labelledBy : titleId}
      closedby={isLocked ? 'none' : closesOutside ? 'any' : 'closerequest'}
      {...settling}
      // A file field in it sends `cancel`, too.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
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
      // Browsers without `closedby` (Safari): the scrim is a part of the dialog element.
      onClick={({ target, currentTarget }) => {
        const isHandled = 'closedBy' in HTMLDialogElement.prototype
        if (closesOutside && !isHandled && target === currentTarget) onClose()
      }}
    >
      <ToastRegion />
      {isSheet ? (
        <>
          <div className={`${layout.stack} ${layout.gap2} ${styles.top}`}>
            <div className={`${layout.line} ${layout.gap2} ${styles.head}`}>
              <h2 id={titleId} tabIndex={-1} data-start data-unringed>
                {title}
              </h2>
              <button
                type="button"
                className={`${layout.grid} ${buttonStyles.iconOnly} ${styles.close}`}
                aria-label={t('close')}
                onClick={onClose}
              >
                <Icon name="cross" />
              </button>
            </div>
            {props.top}
          </div>
          <div className={styles.content}>{hasContent ? children : null}</div>
          {props.bottom ? <div className={styles.bottom}>{props.bottom}</div> : null}
        </>
      ) : (
        <>
          {isBare ? null : (
            <h2 id={titleId} className={styles.title}>
              {title}
            </h2>
          )}
          {children}
        </>
      )}
    </dialog>
  )
}

/** The control that was pressed or focused last: Safari does not focus a button that is pressed. */
let lastUsed: Element | undefined

function noteUse({ target }: Event): void {
  const control = (target as Element).closest?.('a, button, input, select, summary, textarea, [tabindex]')
  if (control) lastUsed = control
}

// Missing where pages are rendered at build.
globalThis.document?.addEventListener('click', noteUse, true)
globalThis.document?.addEventListener('focusin', noteUse, true)

/** Opens the dialog, and gives the focus back when it closes. @returns the ref of the dialog. */
function useDialog({ kind, returnTo }: Pick<OverlayProps, 'kind' | 'returnTo'>) {
  const dialog = useRef<HTMLDialogElement>(null)
  /** The element that was pressed, and the element that had the focus, when the overlay was opened. */
  const before = useRef<readonly (Element | null)[]>([])
  // Before the effects of its content, which may move the focus. Closed before it leaves the document: then browsers return the focus.
  useLayoutEffect(() => {
    const shown = dialog.current
    if (shown === null) return
    // In StrictMode it opens twice.
    if (!shown.contains(document.activeElement))
      before.current = [lastUsed?.isConnected ? lastUsed : document.activeElement, document.activeElement]
    shown.showModal()
    // On phones the keyboard would cover the list.
    const search = hasKeyboard() ? shown.querySelector<HTMLElement>('[type="search"]') : null
    const start = search ?? shown.querySelector<HTMLElement>('[data-start]')
    start?.focus()
    return () => shown.close()
  }, [])
  // The toast was about the page behind the overlay.
  useEffect(hideToast, [])
  useEffect(() => (kind === 'sheet' ? keepInView(dialog.current) : undefined), [kind])

  const giveBack = useEffectEvent(() => {
    const { activeElement, body } = document
    // Another part of the page, or the overlay in the place of this one, has taken the focus.
    if (activeElement !== null && activeElement !== body && !before.current.includes(activeElement)) return
    const [opener] = before.current
    // Another control may have the place and the id of the opener, or the opener is gone with its item.
    const sameId = opener?.id ? document.getElementById(opener.id) : null
    for (const place of [returnTo?.(), opener, sameId, document.querySelector('h1')]) {
      if (!(place instanceof HTMLElement)) continue
      place.focus()
      if (document.activeElement === place) return
    }
  })
  useEffect(() => () => giveBack(), [])
  return dialog
}

/**
 * Tells overlay.module.css how much of the window's start and end is covered: the keyboard of iOS lies over the window, and does
 * not make it smaller. @returns a function that ends it.
 */
function keepInView(sheet: HTMLElement | null): (() => void) | undefined {
  const seen = window.visualViewport
  if (!sheet || !seen) return undefined
  const update = () => {
    // Zoomed in by two fingers: the sheet is moved about in, not squeezed.
    const isZoomed = seen.scale > 1.01
    const start = isZoomed ? 0 : seen.offsetTop
    const end = isZoomed ? 0 : window.innerHeight - seen.height - seen.offsetTop
    sheet.style.setProperty('--hidden-start', `${Math.max(0, start)}px`)
    sheet.style.setProperty('--hidden-end', `${Math.max(0, end)}px`)
  }
  update()
  seen.addEventListener('resize', update)
  seen.addEventListener('scroll', update)
  return () => {
    seen.removeEventListener('resize', update)
    seen.removeEventListener('scroll', update)
  }
}

/** A guess: devices with a mouse have a keyboard of their own. */
function hasKeyboard(): boolean {
  // Missing in jsdom.
  return window.matchMedia?.('(hover: hover) and (pointer: fine)').matches ?? false
}
