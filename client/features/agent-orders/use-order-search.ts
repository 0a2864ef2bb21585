import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { fieldOf } from '#client/platform/field-of.ts'
import { overlayEntry, useOverlayDepth } from '#client/ui/overlay-entries.ts'
import { type Filters, readFilters } from './agent-orders.rules.ts'

const debounceMs = 300

/**
 * Search text, filters, and on phones the order whose sheet is open. Filters are in the address, so that they can be
 * bookmarked and shared. The others are in the history entry's state instead, because names and phones do not belong in
 * an address. They survive a reload, and a sign-out: they are read from an entry of this agent only.
 *
 * The text is taken, into the request and the history, after a pause in typing: Safari refuses more than 100 changes of the
 * history in 30 seconds by an exception, which a few scans by a hand scanner reach.
 */
export function useOrderSearch(agentId: number, onFinished: () => void) {
  const navigate = useNavigate()
  const { state, search: address } = useLocation()
  const [query] = useSearchParams()
  const own = fieldOf(state, 'agentId') === agentId ? state : undefined
  const [search, setSearch] = useState(() => textOf(fieldOf(own, 'words')))
  const [taken, setTaken] = useState(search)
  const [openId, setOpenId] = useState(() => {
    const order = fieldOf(own, 'order')
    return typeof order === 'number' ? order : undefined
  })
  const depth = useOverlayDepth()
  const isFinishing = useRef(false)

  function go(next: URLSearchParams, words: string): void {
    setTaken(words)
    void navigate({ search: next.toString() }, { replace: true, state: { agentId, words } })
  }

  function take(): void {
    // The history entry of the sheet still exists, and is about to be removed.
    if (search === taken || isFinishing.current) return
    const next = new URLSearchParams(address)
    // A search covers all states; the agent can choose a state again afterwards.
    if (taken === '') next.delete('state')
    go(next, search)
  }
  const takeLater = useEffectEvent(take)
  useEffect(() => {
    const timer = setTimeout(() => takeLater(), search === '' ? 0 : debounceMs)
    return () => clearTimeout(timer)
  }, [search])

  function startOver(): void {
    isFinishing.current = false
    go(new URLSearchParams(address), '')
    onFinished()
  }
  const startOverLater = useEffectEvent(startOver)
  useEffect(() => {
    if (openId === undefined && depth === 0 && isFinishing.current) startOverLater()
  }, [openId, depth])

  return {
    search,
    /** The current search text. An empty text takes effect at once. */
    taken: search === '' ? '' : taken,
    filters: readFilters(query),
    setSearch,
    /** Searches without the pause: for Enter, which hand scanners send after a number. */
    take,
    setFilter: (name: keyof Filters, value: string) => {
      const next = new URLSearchParams(address)
      if (value === '') next.delete(name)
      else next.set(name, value)
      go(next, search)
    },
    clear: () => {
      setSearch('')
      const next = new URLSearchParams(address)
      for (const name of ['state', 'city']) next.delete(name)
      go(next, '')
    },
    openId,
    open: (orderId: number) => {
      setTaken(search)
      setOpenId(orderId)
      const state = { agentId, words: search, order: orderId, ...overlayEntry }
      void navigate({ search: address }, { state })
    },
    close: () => setOpenId(undefined),
    /** The bag was confirmed or refused: the sheet closes, and the search is emptied for the next bag. */
    finish: () => {
      setSearch('')
      if (openId === undefined) return startOver()
      isFinishing.current = true
      setOpenId(undefined)
    },
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
