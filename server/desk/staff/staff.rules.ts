import { deskCallbackPath, deskSignInPath } from '#shared/desk/staff/staff.operations.ts'
import { deskPath } from '#shared/platform/pages.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

export const deskSessionLife = { idleMs: 30 * 60_000, absoluteMs: 8 * 60 * 60_000 } as const

export const deskTouchMs = 60_000

export const flowLifeMs = 10 * 60_000

/** A browser can have four open sign-ins, because their cookies must fit into the headers of a request. */
export const flowSlots: readonly string[] = ['1', '2', '3', '4']

export function chooseSlot(state: string, taken: readonly string[]): string {
  const free = flowSlots.filter((slot) => !taken.includes(slot))
  const choice = free.length > 0 ? free : flowSlots
  return choice[state.charCodeAt(0) % choice.length] ?? ''
}

export const slotOf = (state: string) => state.slice(0, 1)

export const idleLimit = (now: number, endsAt: number) => Math.min(now + deskSessionLife.idleMs, endsAt)

/** Keycloak sends a group as a path, such as `/support`. */
const withoutSlash = (value: string) => value.replace(/^\//, '')

export function rolesOf(
  values: readonly string[],
  names: Readonly<Record<StaffRole, string>>,
): readonly StaffRole[] {
  const held = new Set(values.map(withoutSlash))
  return (Object.keys(names) as StaffRole[]).filter((role) => held.has(withoutSlash(names[role])))
}

/** A page that is not below /desk, or is a step of the sign-in, becomes the first page of the desk. */
export function nextPage(asked: unknown): string {
  if (typeof asked !== 'string' || !asked.startsWith('/')) return deskPath
  // Parses the address as a browser does, because `/desk/..//other.example` and `/\\other.example` lead to another
  // site.
  const origin = 'https://desk.invalid'
  const url = URL.parse(asked, origin)
  if (url === null || url.origin !== origin) return deskPath
  // Only a sign-in can add the parameters `signIn` and `requestId`.
  for (const name of ['signIn', 'requestId']) if (url.searchParams.has(name)) url.searchParams.delete(name)
  const isBelow = url.pathname === deskPath || url.pathname.startsWith(`${deskPath}/`)
  const isStep = [deskSignInPath, deskCallbackPath].includes(url.pathname)
  return isBelow && !isStep ? url.pathname + url.search : deskPath
}

/** The query begins at the first `?`; a value can contain another. */
export function queryOf(url: string): string {
  const begin = url.indexOf('?')
  return begin === -1 ? '' : url.slice(begin + 1)
}

export type SignInOutcome = 'cancelled' | 'expired' | 'away' | 'refused' | 'no-right' | 'other-person'

export function withOutcome(page: string, outcome: SignInOutcome, requestId: string): string {
  const url = new URL(page, 'https://desk.invalid')
  url.searchParams.set('signIn', outcome)
  if (outcome === 'refused') url.searchParams.set('requestId', requestId)
  return url.pathname + url.search
}

export function outcomeOfError(error: string): SignInOutcome {
  if (error === 'access_denied') return 'cancelled'
  return /^(?:server_error|temporarily_unavailable)$/.test(error) ? 'away' : 'refused'
}
