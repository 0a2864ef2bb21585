import { useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

interface SheetState {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
}

/** An open sheet is an entry of the history, so that the Back button of a phone closes it and leaves the page open. */
export function useSheet(name: string): SheetState {
  const location = useLocation()
  const navigate = useNavigate()
  const isOpen = sheetOf(location.state) === name
  // Going back takes a moment, and a closed dialog reports it late: only the first call may go back.
  const isClosable = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history is closed once
  useLayoutEffect(() => {
    isClosable.current = isOpen
  }, [isOpen, location.key])
  return {
    isOpen,
    open: () => {
      if (!isOpen) void navigate({ search: location.search, hash: location.hash }, { state: { sheet: name } })
    },
    close: () => {
      if (!isClosable.current) return
      isClosable.current = false
      void navigate(-1)
    },
  }
}

function sheetOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'sheet' in state ? state.sheet : undefined
}
