import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { fieldOf } from '#client/platform/field-of.ts'
import { createStore, useStore } from '#client/platform/store.ts'
import { isEntryEnding, useEntryEnd } from './use-sheet.ts'

/*
 * An open dialog is an entry of the history, so that Back closes it and leaves the page open. The state of an entry says
 * how many dialogs are open in it. Forward and a reload reach the entry of a closed dialog: they show the page alone.
 */

const openDialogs = createStore(0)

/** How many dialogs the current entry of the history stands for. */
export function useDialogDepth(): number {
  const depth = fieldOf(useLocation().state, 'dialogs')
  return typeof depth === 'number' ? depth : 0
}

/** For a dialog while it is mounted. `isLocked`: Back does not close it. */
export function useDialogEntry(onClose: () => void, isLocked = false): void {
  const { key, state, search, hash } = useLocation()
  const navigate = useNavigate()
  const depth = useDialogDepth()
  /** The position among the open dialogs, from 1. */
  const place = useRef(0)
  const entry = useRef<'none' | 'coming' | 'there'>('none')

  useEffect(() => {
    place.current = openDialogs.get() + 1
    openDialogs.set(place.current)
    return () => openDialogs.set(openDialogs.get() - 1)
  }, [])

  const follow = useEffectEvent(() => {
    if (depth >= place.current) {
      // The entry of a dialog that has just closed is about to go.
      if (entry.current !== 'none' || !isEntryEnding(key)) entry.current = 'there'
    } else if (entry.current === 'none') {
      entry.current = 'coming'
      const before = typeof state === 'object' ? state : {}
      void navigate({ search, hash }, { state: { ...before, dialogs: place.current } })
    } else if (entry.current === 'there') {
      if (!isLocked) return onClose()
      entry.current = 'coming'
      void navigate(1)
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect follows the depth alone: it changes when an entry is added, left or reached
  useEffect(() => follow(), [depth])
}

/** For the frame of all pages, which outlives the dialogs: goes back from the entry of a dialog that was closed. */
export function useClosedDialogs(): void {
  const count = useStore(openDialogs)
  const depth = useDialogDepth()
  const end = useEntryEnd(depth > count)
  const countBefore = useRef(count)
  useEffect(() => {
    const hasClosed = count < countBefore.current
    countBefore.current = count
    if (hasClosed) end()
  })
}
