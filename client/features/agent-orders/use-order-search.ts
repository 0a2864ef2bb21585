import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { type Filters, readFilters } from './agent-orders.rules.ts'

const debounceMs = 300

/**
 * The value after a pause in typing, and a function that takes it at once: for Enter, which hand scanners send after a
 * number. An empty value is taken at once.
 */
export function useDebounced(value: string): readonly [string, () => void] {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), value === '' ? 0 : debounceMs)
    return () => clearTimeout(timer)
  }, [value])
  return [value === '' ? '' : debounced, () => setDebounced(value)]
}

/**
 * Search text and filters. Filters are in the address, so that they can be bookmarked and shared. The text is in the
 * history entry's state instead, because names and phones do not belong in an address; it survives reload and Back.
 */
export function useOrderSearch() {
  const navigate = useNavigate()
  const { state, search: address } = useLocation()
  const [query] = useSearchParams()
  const [search, setSearch] = useState(() => wordsIn(state))

  function go(next: URLSearchParams, words: string): void {
    void navigate({ search: next.toString() }, { replace: true, state: { words } })
  }
  return {
    search,
    filters: readFilters(query),
    setSearch: (words: string) => {
      setSearch(words)
      go(new URLSearchParams(address), words)
    },
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
  }
}

function wordsIn(state: unknown): string {
  const words = typeof state === 'object' && state !== null && 'words' in state ? state.words : ''
  return typeof words === 'string' ? words : ''
}
