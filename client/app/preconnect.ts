import { useEffect } from 'react'
import { preconnect } from 'react-dom'

/** Opens the connection to the card widget's origin, which the next document loads its script from. */
export function usePreconnect(address: string): void {
  useEffect(() => {
    const { origin } = new URL(address, window.location.href)
    if (origin === window.location.origin) return
    // Scripts without CORS, and those with it (an integrity hash needs CORS), use different connections.
    preconnect(origin)
    preconnect(origin, { crossOrigin: 'anonymous' })
  }, [address])
}
