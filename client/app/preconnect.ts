import { preconnect } from 'react-dom'

/** Opens the connection to the origin of a script, once. Allowed while rendering. */
export function preconnectTo(script: string): void {
  const { origin } = new URL(script, window.location.href)
  if (origin === window.location.origin) return
  // Scripts without CORS, and those with it (an integrity hash needs CORS), use different connections.
  preconnect(origin)
  preconnect(origin, { crossOrigin: 'anonymous' })
}
