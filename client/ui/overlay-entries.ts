import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import { fieldOf } from '#client/platform/field-of.ts'
import { createStore, useStore } from '#client/platform/store.ts'

/*
 * An open overlay is an entry of the history, so that Back closes it and stays on the page. The state of an entry says how many
 * overlays are open in it. An overlay that closes in another way takes its entry with it. After a reload, and by Forward, the
 * page is reached without its overlay.
 */

interface OpenOverlay {
  readonly onClose: () => void
  readonly isLocked: boolean
}

/** In the order of their opening. */
const openOverlays = createStore<readonly RefObject<OpenOverlay>[]>([])
/** A page is about to be replaced, and waits for the entries of its overlays to go. */
const isPageEnding = createStore(false)

/** The state of an entry with one open overlay, for a page that adds the entry itself, with a state of its own. */
export const overlayEntry = { overlays: 1 } as const

function depthOf(state: unknown): number {
  const depth = fieldOf(state, 'overlays')
  return typeof depth === 'number' ? depth : 0
}

/** How many overlays are open in the current entry of the history. */
export function useOverlayDepth(): number {
  return depthOf(useLocation().state)
}

/** For an overlay while it is mounted. `isLocked`: Back does not close it. */
export function useOverlayEntry(onClose: () => void, isLocked: boolean): void {
  const overlay = useRef<OpenOverlay>({ onClose, isLocked })
  useLayoutEffect(() => {
    overlay.current = { onClose, isLocked }
  })
  // Before it is on screen: it can be closed by Back as soon as it is seen.
  useLayoutEffect(() => {
    openOverlays.set([...openOverlays.get(), overlay])
    return () => openOverlays.set(openOverlays.get().filter((each) => each !== overlay))
  }, [])
}

/** Ends the entries of overlays before their page is replaced, so that Back does not lead to them. @returns true when they are gone. */
export function useOverlaysEnd(): boolean {
  const depth = useOverlayDepth()
  useEffect(() => {
    isPageEnding.set(true)
    return () => isPageEnding.set(false)
  }, [])
  return depth === 0
}

/**
 * With the entry of an overlay the browser brings back where the page stood when the overlay was opened. The control that has the
 * focus now may stand elsewhere: the last answer of a form whose questions open one after the other.
 */
function showFocus(): void {
  requestAnimationFrame(() => {
    const { activeElement, body } = document
    // jsdom has no scrollIntoView.
    if (activeElement !== body) activeElement?.scrollIntoView?.({ block: 'nearest' })
  })
}

/** For the frame of all pages: keeps the entries of the history and the open overlays equal. */
export function useOverlayEntries(): void {
  const { key, pathname, search, hash, state } = useLocation()
  const isPop = useNavigationType() === 'POP'
  const navigate = useNavigate()
  const depth = depthOf(state)
  const isEnding = useStore(isPageEnding)
  useStore(openOverlays)
  // The router listens to the history only after the layout effects of the first page.
  const [isListening, setIsListening] = useState(false)
  useEffect(() => setIsListening(true), [])
  /** At the last comparison. `isMoving`: a step through the history was asked for, and takes a moment. */
  const last = useRef({ key, pathname, depth, count: 0, isMoving: false })

  useLayoutEffect(() => {
    const before = last.current
    const hasMoved = key !== before.key
    if (!isListening || (before.isMoving && !hasMoved)) return
    // Not the rendered value: overlays that were removed in the same update have left the store.
    const overlays = openOverlays.get()
    const count = overlays.length
    const isSamePage = pathname === before.pathname
    last.current = { key, pathname, depth, count, isMoving: false }
    // The page may be rendered again before it knows the new entry: a step is asked for once.
    const move = (by: number) => {
      last.current.isMoving = true
      void navigate(by)
    }

    if (hasMoved && isPop && depth < before.depth && before.isMoving) showFocus()
    if (hasMoved && isPop && isSamePage && depth < before.depth && !before.isMoving) {
      const closing = overlays.slice(depth)
      // The overlay was closed before: a press of Back that changes nothing would be lost.
      if (before.count === 0) void navigate(-1)
      else if (closing.some(({ current }) => current.isLocked)) move(before.depth - depth)
      else for (const { current } of closing.toReversed()) current.onClose()
    } else if (count > depth) {
      const others = typeof state === 'object' ? state : {}
      last.current.isMoving = true
      void navigate({ search, hash }, { state: { ...others, overlays: depth + 1 } })
    } else if (count < depth && (isEnding || count < before.count || (isPop && !isSamePage))) {
      move(count - depth)
    }
  })
}
