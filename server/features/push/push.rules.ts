import { ECDH } from 'node:crypto'

/**
 * With any other address, a user could make the gateway call another server, or another function of the push service
 * (docs/wires/push.md W4). Only characters that are never percent-encoded match, so each address has one spelling;
 * `readEndpoint` encodes the token of Windows again.
 */
const pushAddresses = {
  google: { host: /^fcm\.googleapis\.com$/, rest: /^\/(?:fcm\/send|wp)\/[\w:.~-]+$/ },
  mozilla: { host: /^[\w-]+\.push\.services\.mozilla\.com$/, rest: /^\/wpush\/v\d\/[\w=.~-]+$/ },
  apple: { host: /^[\w-]+\.push\.apple\.com$/, rest: /^\/[\w.~-]+$/ },
  windows: { host: /^([\w-]+\.){1,2}notify\.windows\.com$/, rest: /^\/w\/\?token=[\w%.~-]+$/ },
} as const satisfies Record<string, { readonly host: RegExp; readonly rest: RegExp }>
export type PushServiceName = keyof typeof pushAddresses
export const pushServices = Object.keys(pushAddresses) as PushServiceName[]

export function readEndpoint(
  endpoint: string,
): { readonly service: PushServiceName; readonly url: string } | undefined {
  const url = URL.parse(endpoint)
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    return undefined
  const rest = url.pathname + url.search
  const service = pushServices.find(
    (name) => pushAddresses[name].host.test(url.hostname) && pushAddresses[name].rest.test(rest),
  )
  if (!service) return undefined
  const token = url.searchParams.get('token')
  return {
    service,
    url: `${url.origin}${url.pathname}${token === null ? '' : `?${new URLSearchParams({ token })}`}`,
  }
}

export function isPoint(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'uncompressed') === p256dh
  } catch {
    return false
  }
}

export type PushOutcome =
  | { readonly outcome: 'accepted' | 'gone' | 'too-long' | 'refused' }
  /** The push service can have accepted the push and cannot be asked, so the push is not repeated. */
  | { readonly outcome: 'uncertain' }
  | { readonly outcome: 'busy' | 'unreachable'; readonly waitMs: number }

export type PushResult =
  | { readonly result: 'accepted' | 'uncertain' | 'refused' | 'none' }
  | { readonly result: 'later'; readonly waitMs: number }

/** The outcome `uncertain` is chosen before `later`, because a retry could repeat an accepted push. */
export function resultOf(outcomes: readonly PushOutcome[]): PushResult {
  const has = (...names: readonly PushOutcome['outcome'][]) =>
    outcomes.some(({ outcome }) => names.includes(outcome))
  if (has('accepted')) return { result: 'accepted' }
  if (has('uncertain')) return { result: 'uncertain' }
  const waits = outcomes.flatMap((each) => ('waitMs' in each ? [each.waitMs] : []))
  if (waits.length > 0) return { result: 'later', waitMs: Math.max(...waits) }
  return { result: has('refused', 'too-long') ? 'refused' : 'none' }
}

const second = 1_000

export const pushRules = {
  mostSubscriptions: 5,
  subscribes: [{ count: 20, windowMs: 60 * 60 * second }],
  /** Encryption adds 103 bytes, and some push services cut messages at about 3 kB. */
  mostBytes: 2_000,
  pauseMs: 60 * second,
  longestPauseMs: 15 * 60 * second,
} as const

/** The answers of push services: docs/wires/push.md W6 */
export function outcomeOf(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { outcome: 'accepted' }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  if (status === 413) return { outcome: 'too-long' }
  if (status === 429) return { outcome: 'busy', waitMs: waitOf(retryAfter) }
  // A proxy can give this answer after the push service has accepted the message.
  if (status < 400 || status >= 500 || status === 408) return { outcome: 'uncertain' }
  return { outcome: 'refused' }
}

/** A date in `Retry-After` is ignored, because the clocks can differ. */
function waitOf(retryAfter: string | undefined) {
  if (retryAfter === undefined || !/^\d{1,6}$/.test(retryAfter)) return pushRules.pauseMs
  return Math.min(Math.max(Number(retryAfter), 1) * second, pushRules.longestPauseMs)
}
