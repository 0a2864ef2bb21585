import { useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { fieldOf } from '#client/platform/field-of.ts'

interface SheetState {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
  /** Opens another sheet in the place of this one: Back closes that, too. */
  readonly openInstead: (name: string) => void
}

/** The state of the entry of the history in which this sheet is open. */
export const sheetEntry = (sheet: string) => ({ sheet })

/** An open sheet is an entry of the history, so that the Back button of a phone closes it and leaves the page open. */
export function useSheet(name: string): SheetState {
  const { state, search, hash } = useLocation()
  const navigate = useNavigate()
  const isOpen = fieldOf(state, 'sheet') === name
  const show = (sheet: string, replace: boolean) =>
    void navigate({ search, hash }, { state: sheetEntry(sheet), replace })
  return {
    isOpen,
    open: () => {
      if (!isOpen) show(name, false)
    },
    close: useEntryEnd(isOpen),
    openInstead: (next) => show(next, true),
  }
}

/** The key of the entry that is about to end: going back takes a moment, and a closed dialog reports it late. */
let endingKey: string | undefined

export const isEntryEnding = (key: string): boolean => endingKey === key

/** Goes back from the entry that `isOpen` has made, once, no matter how many components ask for it. */
export function useEntryEnd(isOpen: boolean): () => void {
  const { key } = useLocation()
  const navigate = useNavigate()
  const closable = useRef<string>(undefined)
  useLayoutEffect(() => {
    closable.current = isOpen ? key : undefined
    if (key !== endingKey) endingKey = undefined
  }, [isOpen, key])
  return () => {
    const entry = closable.current
    if (entry === undefined || isEntryEnding(entry)) return
    endingKey = entry
    void navigate(-1)
  }
}
