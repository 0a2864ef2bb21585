import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Position } from './nearest.rules.ts'

export type PositionState =
  | { readonly kind: 'not-asked' | 'asking' | 'refused' | 'unknown' }
  | { readonly kind: 'known'; readonly position: Position }

export interface OwnPosition {
  readonly state: PositionState
  /** False when the browser has no geolocation, for example on pages served without TLS. */
  readonly isOffered: boolean
  /** Asks the browser, which asks the user. The position stays in this page: it is neither stored nor sent. */
  readonly ask: () => void
}

const options: PositionOptions = { maximumAge: 5 * 60_000, timeout: 15_000 }

export function useOwnPosition(): OwnPosition {
  const [state, setState] = useState<PositionState>({ kind: 'not-asked' })
  const asked = useRef(0)
  const isOffered = window.isSecureContext !== false && 'geolocation' in navigator
  const ask = () => {
    const attempt = ++asked.current
    // A late answer to an earlier attempt must not replace the answer to the last attempt.
    const settle = (next: PositionState) => {
      if (attempt === asked.current) setState(next)
    }
    setState({ kind: 'asking' })
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => settle({ kind: 'known', position: { latitude, longitude } }),
      ({ code }) => settle({ kind: code === 1 ? 'refused' : 'unknown' }),
      options,
    )
  }
  const askIfAllowed = useEffectEvent(async () => {
    // Older browsers and jsdom lack the method.
    const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => undefined)
    if (isOffered && permission?.state === 'granted') ask()
  })
  useEffect(() => void askIfAllowed(), [])
  return { state, isOffered, ask }
}
