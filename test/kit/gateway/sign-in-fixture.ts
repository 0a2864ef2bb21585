import type { FastifyInstance } from 'fastify'
import type { Core } from '#server/core.ts'
import type { CheckOutcome, OtpProvider } from '#server/features/otp/otp.provider.ts'
import type { PartnerProvider } from '#server/features/partner/partner.provider.ts'
import { sessionScope, sessionsRoutes } from '#server/features/sessions/sessions.routes.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { type GatewayLimits, gatewayLimits } from '#server/platform/gateway-limits.ts'
import { routesOn } from '#server/platform/routes.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import type { PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { CodeChannel } from '#shared/platform/code-channels.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import { type ManualClock, manualClock, minute } from '../basics/clock.ts'
import { openMemory } from '../database/memory-database.ts'
import { openCore } from './core.ts'
import {
  type BrowserAnswer,
  openBrowser,
  openFeatureApp,
  publicUrl,
  type TestBrowser,
} from './feature-app.ts'

export const phone = '0512345678'
export const canonical = '+966512345678'
export const agentPhone = '+966500000101'
export const rightCode = '1234'
export const wrongCode = '9999'

type Trouble = 'silent' | 'refusing' | 'blocking' | 'too-many' | 'unreachable' | 'losing'

/**
 * An OTP provider in memory. Every code is 1234; a phone has one verification until it is approved, cancelled or ten minutes
 * old. `state.trouble` makes it fail: `silent` times out, `unreachable` is never reached, `refusing` sends the number no SMS,
 * `blocking` sends it nothing, `too-many` has sent enough to it, `losing` compares a code and loses the answer.
 */
export function otpDouble() {
  const sends: { phone: string; channel: string; language: string; role: string }[] = []
  const checks: { ref: string; code: string; role: string }[] = []
  const cancelled: string[] = []
  const asked: string[] = []
  const pretences: string[] = []
  const ended = new Set<string>()
  /** The open verifications, by service and phone or address: codes of other roles of the service share them. */
  const open = new Map<string, { ref: string; until: number }>()
  const state: {
    trouble: Trouble | undefined
    outcome: CheckOutcome | undefined
    delivery: CodeDelivery
    /** That the provider refuses; a number of its own. */
    refusedChannel: CodeChannel | undefined
    now: () => number
  } = {
    trouble: undefined,
    outcome: undefined,
    delivery: 'unknown',
    refusedChannel: undefined,
    now: () => 0,
  }
  const serviceOf = (role: string) => (role === 'agent' ? 'agent' : 'user')
  const down = () =>
    failure(sessionsErrors, 'OTP_UNAVAILABLE', {
      retryAfterSeconds: 5,
      cause:
        state.trouble === 'unreachable'
          ? new UnreachableError('otp: no answer')
          : new OutcomeUnknownError('otp: no answer'),
    })
  const isAway = () => state.trouble === 'silent' || state.trouble === 'unreachable'
  const away = () => ({ outcome: 'unavailable', isCertain: state.trouble === 'unreachable' }) as const
  const provider: OtpProvider = {
    async send({ to, channel, language, role }) {
      if (isAway()) return away()
      if (channel === state.refusedChannel) return { outcome: 'channel-refused', code: 60_327 }
      if (state.trouble === 'refusing') return { outcome: 'phone-refused' }
      if (state.trouble === 'blocking') return { outcome: 'phone-blocked' }
      if (state.trouble === 'too-many') return { outcome: 'too-many' }
      sends.push({ phone: to, channel, language, role })
      const key = `${serviceOf(role)} ${to}`
      const earlier = open.get(key)
      const isOpen = earlier !== undefined && !ended.has(earlier.ref) && earlier.until > state.now()
      const verification = isOpen
        ? earlier
        : { ref: `${serviceOf(role)}-${sends.length}`, until: state.now() + 10 * minute }
      open.set(key, verification)
      return { outcome: 'sent', ref: verification.ref }
    },
    async check({ ref, role }, code): Promise<CheckOutcome> {
      if (isAway()) throw down()
      checks.push({ ref, code, role })
      if (state.trouble === 'losing') throw down()
      if (state.outcome) return state.outcome
      if (ended.has(ref) || !ref.startsWith(serviceOf(role))) return 'expired'
      if (code !== rightCode) return 'rejected'
      ended.add(ref)
      return 'approved'
    },
    async cancel(ref) {
      if (isAway()) return false
      cancelled.push(ref)
      ended.add(ref)
      return true
    },
    async readDelivery(ref) {
      asked.push(ref)
      return state.delivery
    },
    async pretendSend(role) {
      if (isAway()) return away()
      pretences.push(`send ${role}`)
      return { outcome: 'suppressed' }
    },
    async pretendCheck(_, role) {
      if (isAway()) throw down()
      pretences.push(`check ${role}`)
    },
  }
  return { provider, sends, checks, cancelled, pretences, asked, state }
}

interface DirectoryEntry {
  readonly partnerAgentId: string
  readonly name: string
  readonly phone: string
}

const place = {
  address: 'Mina',
  city: 'Makkah',
  coordinates: { latitude: 21.42, longitude: 39.87 },
}
/** Always in the directory, because an empty list is refused. */
const anotherAgent: PartnerAgent = {
  id: 'A99',
  name: 'Another agent',
  phone: '+966500009999',
  ...place,
}

/** Agents of the partner, by phone. A `get` that throws is an outage of the partner. */
function openDirectory() {
  const entries = new Map<string, DirectoryEntry>([
    [agentPhone, { partnerAgentId: 'A01', name: 'وكيل منى', phone: agentPhone }],
  ])
  let isAway = false
  const list = (): PartnerAgent[] => {
    if (isAway) throw new UnreachableError('partner: no answer')
    const found = [...entries.keys()].flatMap((key) => entries.get(key) ?? [])
    return [
      ...found.map(({ partnerAgentId, name, phone }) => ({ id: partnerAgentId, name, phone, ...place })),
      anotherAgent,
    ]
  }
  const textOf = () => {
    try {
      return JSON.stringify(list())
    } catch {
      return 'away'
    }
  }
  let served = textOf()
  const partner: PartnerProvider = {
    fetchAgents: async () => ({ rows: list(), dropped: {} }),
    fetchCenters: async () => ({ rows: [], dropped: {} }),
  }
  return {
    entries,
    partner,
    setAway(away: boolean): void {
      isAway = away
    },
    /** Drops the gateway's copy of a list that has changed, as if it had become old. */
    dropOldCopy({ partnerLists: { agents } }: Core): void {
      if (textOf() === served) return
      served = textOf()
      agents.copy = undefined
      agents.nextTryAt = 0
    },
  }
}

export interface SignInFixture {
  app: FastifyInstance
  /** The first of the browsers; others are opened on `app`. */
  browser: TestBrowser
  clock: ManualClock
  otp: ReturnType<typeof otpDouble>
  /** A change is seen by the next request. */
  directory: Map<string, DirectoryEntry>
  /** Begins or ends an outage of the partner, whose list the gateway has not cached then. */
  setDirectoryAway(isAway: boolean): Promise<void>
  database: Database
  core: Core
  /** Log lines. */
  lines: Record<string, unknown>[]
  /** Refusals of a limit. */
  refusalsBy(limit: string): Promise<number>
  /** A metric as `/metrics` shows it. */
  metric(name: string): Promise<number | undefined>
}

export async function openFixture({
  address = publicUrl,
  countries,
  env = {},
  limits = {},
  database,
  otp = otpDouble(),
}: {
  address?: string
  countries?: string[]
  env?: Readonly<Record<string, string>>
  /** Limits that differ from those of a deployment. */
  limits?: Partial<GatewayLimits>
  database?: Database
  otp?: ReturnType<typeof otpDouble>
} = {}): Promise<SignInFixture> {
  const clock = manualClock()
  otp.state.now = clock.now
  const opened = database ?? (await openMemory())
  const directory = openDirectory()
  const config = {
    ...readConfig(env),
    PUBLIC_URL: address,
    ...(countries && { ALLOWED_PHONE_COUNTRIES: countries }),
    limits: { ...gatewayLimits, ...limits },
  }
  const providers = { otp: otp.provider, partner: directory.partner }
  const core = await openCore({ database: opened, clock }, { config, providers })
  const lines: SignInFixture['lines'] = []
  const app = await openFeatureApp((app) => {
    app.addHook('onRequest', async (request) => {
      directory.dropOldCopy(core)
      // The client's address, as a proxy would send it.
      const from = request.headers['x-from']
      if (typeof from === 'string') Object.defineProperty(request, 'ip', { value: from })
      const keep = (level: string) => (line: unknown) =>
        void lines.push({ level, reqId: request.id, ...(line as object) })
      const kept = { info: keep('info'), warn: keep('warn'), error: keep('error') }
      request.log = Object.assign(Object.create(request.log), kept)
    })
    sessionsRoutes(core, routesOn(app, sessionScope(core), core.streams))
  })
  return {
    app,
    browser: openBrowser(app),
    clock,
    otp,
    directory: directory.entries,
    async setDirectoryAway(isAway) {
      directory.setAway(isAway)
      await opened.tables.deleteFrom('partner_lists').execute()
    },
    database: opened,
    core,
    lines,
    async refusalsBy(limit) {
      const found = await core.metrics.registry.getSingleMetric('amtiati_sign_in_limits_total')?.get()
      return found?.values.find(({ labels }) => labels.limit === limit)?.value ?? 0
    },
    metric: async (name) => (await core.metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value,
  }
}

export const send = (browser: TestBrowser, body: object = { phone }) =>
  browser.post('/api/auth/request-otp', body)
export const verify = (browser: TestBrowser, change: object = {}) =>
  browser.post('/api/auth/verify-otp', { phone, code: rightCode, ...change })
export const sendAgent = (browser: TestBrowser, to = agentPhone, channel?: CodeChannel) =>
  browser.post('/api/auth/send-agent-otp', { phone: to, channel })
export const verifyAgent = (browser: TestBrowser, change: object = {}) =>
  browser.post('/api/auth/verify-agent-otp', { phone: agentPhone, code: rightCode, ...change })
/** Asks for a code that confirms a request. */
export const askConfirm = (browser: TestBrowser, purpose: string, channel?: string) =>
  browser.post('/api/auth/confirm', { purpose, channel })
export const verifyConfirm = (browser: TestBrowser, code = rightCode) =>
  browser.post('/api/auth/confirm/verify', { code })
export const userOf = (browser: TestBrowser) => browser.get('/api/auth/user')
export const agentOf = (browser: TestBrowser) => browser.get('/api/auth/agent')

export async function signUp(browser: TestBrowser, name = 'عبد الله'): Promise<void> {
  await send(browser)
  const answer = await verify(browser, { name })
  if (answer.status !== 200) throw new Error(`sign-up failed: ${JSON.stringify(answer.json)}`)
}

export async function signInAgent(browser: TestBrowser): Promise<void> {
  await sendAgent(browser)
  const answer = await verifyAgent(browser)
  if (answer.status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(answer.json)}`)
}

/** A phone by `index`, each with another prefix. */
export const farAway = (index: number) => `+9665${String(5_000 + index)}0000`.padEnd(13, '0')

/** Enters wrong codes, and asks for a new code after three; returns the first refusal of a limit. */
export async function guess(
  fixture: SignInFixture,
  browser: TestBrowser,
  times: number,
): Promise<BrowserAnswer | undefined> {
  for (let left = times; left > 0; ) {
    const sent = await send(browser)
    if (sent.status !== 200) return sent
    for (let each = 0; each < 3 && left > 0; each += 1, left -= 1) {
      const answer = await verify(browser, { code: wrongCode })
      if (answer.status === 429) return answer
    }
    fixture.clock.advance(minute)
  }
  return undefined
}

/** Requests from a given address. */
export const sendFrom = (remoteAddress: string, browser: TestBrowser, to: string) =>
  browser.post('/api/auth/request-otp', { phone: to }, { 'x-from': remoteAddress })
export const addressOf = (index: number) => `192.0.${Math.floor(index / 250)}.${index % 250}`

/** Sets the consecutive wrong codes, as months of guessing would. */
export const setFailures = (fixture: SignInFixture, wrongs: number) =>
  fixture.database.tables.updateTable('otp_counters').set({ consecutive_failures: wrongs }).execute()
