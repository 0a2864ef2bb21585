import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { Icon } from './icon.tsx'
import { ModalDialog } from './modal-dialog.tsx'
import styles from './sheet.module.css'
import { hideToast } from './toast.tsx'

interface SheetProps {
  readonly title: string
  /** Focused when the sheet closes. */
  readonly openerId: string
  readonly onClose: () => void
  /** A button of the type submit was pressed, or Enter in a field. */
  readonly onSubmit?: () => void
  /** Below the title; stays in view while the content scrolls. */
  readonly top?: ReactNode
  /** At the bottom edge. */
  readonly bottom?: ReactNode
  readonly children: ReactNode
}

/**
 * A modal dialog for a list: on phones from below the top bar to the bottom edge. Escape, the scrim and the close button
 * close it; `useSheet` adds the Back button.
 */
export function Sheet({ title, openerId, onClose, onSubmit, top, bottom, children }: SheetProps) {
  const { t } = useTranslation('ui')
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  useEffect(() => {
    // Not the search field on phones: their keyboard would cover the list.
    const search = hasKeyboard()
      ? heading.current?.closest('dialog')?.querySelector<HTMLElement>('[type="search"]')
      : null
    const start = search ?? heading.current
    start?.focus()
  }, [])
  // It was about the page behind.
  useEffect(hideToast, [])
  useEffect(() => keepInView(heading.current?.closest('dialog')), [])
  // After the page behind is no longer inert. Another control may have taken the opener's place and id.
  useEffect(() => () => document.getElementById(openerId)?.focus(), [openerId])
  const parts = (
    <>
      <div className={styles.top}>
        <div className={styles.head}>
          <h2 ref={heading} id={titleId} tabIndex={-1} className={styles.title} data-unringed>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label={t('close')} onClick={onClose}>
            <Icon name="cross" />
          </button>
        </div>
        {top}
      </div>
      <div className={styles.content}>{children}</div>
      {bottom ? <div className={styles.bottom}>{bottom}</div> : null}
    </>
  )
  return (
    <ModalDialog className={styles.sheet} titled={{ by: titleId }} onClose={onClose} isLight={true}>
      {onSubmit === undefined ? (
        // It may be opened inside a form, which may not contain another.
        <div className={styles.form}>{parts}</div>
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {parts}
        </form>
      )}
    </ModalDialog>
  )
}

/**
 * Tells sheet.module.css how much of the window's start and end cannot be seen. The keyboard of iOS covers the window, and does
 * not make it smaller. @returns what ends it.
 */
function keepInView(sheet: HTMLElement | null | undefined): (() => void) | undefined {
  const seen = window.visualViewport
  if (!sheet || !seen) return undefined
  const update = () => {
    // Zoomed in by hand: the sheet is moved about in, not squeezed.
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
