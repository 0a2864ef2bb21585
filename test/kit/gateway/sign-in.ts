import { waitInWords } from '#server/platform/waiting.ts'
import type { Endpoint } from '#shared/platform/operation.ts'
import * as sessions from '#shared/sessions/sessions.operations.ts'
import type { Answer, Person } from './person.ts'

/** One of the two screens. */
export type Screen = 'user' | 'agent'

const screens: Readonly<Record<Screen, { send: Endpoint; verify: Endpoint }>> = {
  user: { send: sessions.requestOtp, verify: sessions.verifyOtp },
  agent: { send: sessions.sendAgentOtp, verify: sessions.verifyAgentOtp },
}

export function askForCode(person: Person, phone: unknown, screen: Screen = 'user'): Promise<Answer> {
  return person.send('POST', screens[screen].send.path, { body: { phone } })
}

/** Enters a code, with a name on the pilgrims' screen, so that a right code always signs in. */
export function typeCode(person: Person, phone: unknown, code: unknown, screen: Screen = 'user') {
  const body = { phone, code, ...(screen === 'user' && { name: 'Sara' }) }
  return person.send('POST', screens[screen].verify.path, { body })
}

/** `count` codes that are all wrong, and all different. */
export function wrongCodes(right: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    String((Number(right) + 1 + index) % 10_000).padStart(4, '0'),
  )
}

/** Status, and the code of the problem where there is one. */
export function outcomeOf({ status, json }: Answer): string {
  const code = (json as { code?: unknown } | undefined)?.code
  return code === undefined ? String(status) : `${status} ${code}`
}

/** Rounded up, because the remaining seconds of two answers differ with the times of their requests. */
const minutesOf = (seconds: number) => `${Math.ceil(seconds / 60)} min`

/**
 * What an answer shows, for a comparison of two: without the number of the request, the date and random values, and with
 * waits in minutes.
 */
export function seenIn({ status, headers, json, bytes }: Answer): unknown {
  const { requestId: _, ...rest } = { requestId: undefined, ...(json as object | undefined) }
  const fields = new Map<string, unknown>(Object.entries(rest))
  const wait = fields.get('retryAfterSeconds')
  if (typeof wait === 'number')
    for (const words of Object.values(waitInWords(wait)))
      fields.set('message', String(fields.get('message')).replace(words, minutesOf(wait)))
  for (const [name, value] of fields) if (name.endsWith('Seconds')) fields.set(name, minutesOf(Number(value)))
  const ignored = ['date', 'x-request-id', ...(wait === undefined ? [] : ['content-length'])]
  const shown = [...headers]
    .filter(([name]) => !ignored.includes(name))
    .map(([name, value]) => {
      if (name === 'set-cookie') return `${name}: ${value.replace(/=[\w-]{43};/, '=…;')}`
      return `${name}: ${name === 'retry-after' ? minutesOf(Number(value)) : value}`
    })
  return { status, shown: shown.sort(), json: json === undefined ? bytes.length : Object.fromEntries(fields) }
}
