import type { FastifyInstance } from 'fastify'
import { type CodesService, createCodes } from '#server/features/sessions/codes.service.ts'
import { type CodesStore, createCodesStore } from '#server/features/sessions/codes.store.ts'
import type { CodeVerdict, OtpGateway } from '#server/features/sessions/sessions.gateway.ts'
import { sessionCookiesFor, sessionScope, sessionsRoutes } from '#server/features/sessions/sessions.routes.ts'
import {
  createSessions,
  type DirectoryEntry,
  type SessionsService,
} from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { type ManualClock, manualClock } from './clock.ts'
import { openMemory } from './databases.ts'
import { openRoomApp, publicUrl, silentLog, type TestBrowser } from './room-app.ts'

export const phone = '0512345678'
export const canonical = '+966512345678'
export const agentPhone = '+966500000101'
export const rightCode = '1234'

type Trouble = 'silent' | 'refusing' | 'unreachable'

/**
 * The OTP service: every code is 1234, one code per phone until it is approved or cancelled, and it can be told to
 * fail: `silent` answers nothing in time, `unreachable` was never reached, `refusing` serves no number.
 */
export function otpDouble() {
  const sends: { phone: string; language: string; audience: string }[] = []
  const checks: { ref: string; code: string; audience: string }[] = []
  const cancelled: string[] = []
  const pretences: string[] = []
  const ended = new Set<string>()
  const state: { trouble: Trouble | undefined; verdict: CodeVerdict | undefined } = {
    trouble: undefined,
    verdict: undefined,
  }
  const down = () => failure(sessionsErrors, 'OTP_UNAVAILABLE', { retryAfterSeconds: 5 })
  const isAway = () => state.trouble === 'silent' || state.trouble === 'unreachable'
  const away = () => ({ outcome: 'unavailable', isCertain: state.trouble === 'unreachable' }) as const
  const gateway: OtpGateway = {
    async send(to, language, audience) {
      if (isAway()) return away()
      if (state.trouble === 'refusing') return { outcome: 'phone-refused' }
      sends.push({ phone: to, language, audience })
      return { outcome: 'sent', ref: `${audience}-${sends.length}` }
    },
    async check(ref, code, audience): Promise<CodeVerdict> {
      if (isAway()) throw down()
      checks.push({ ref, code, audience })
      if (state.verdict) return state.verdict
      if (ended.has(ref) || !ref.startsWith(audience)) return 'expired'
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
    async pretendSend(audience) {
      if (isAway()) return away()
      pretences.push(`send ${audience}`)
      return { outcome: 'suppressed' }
    },
    async pretendCheck(_, audience) {
      if (isAway()) throw down()
      pretences.push(`check ${audience}`)
    },
  }
  return { gateway, sends, checks, cancelled, pretences, state }
}

export interface Room {
  app: FastifyInstance
  clock: ManualClock
  otp: ReturnType<typeof otpDouble>
  directory: Map<string, DirectoryEntry>
  database: Database
  sessions: SessionsService
  codes: CodesService
  store: CodesStore
  /** Lines of the log, as they would be written. */
  lines: Record<string, unknown>[]
  /** How often a limit has refused somebody. */
  refusalsBy(limit: string): Promise<number>
}

export async function openRoom({
  address = publicUrl,
  countries,
  env = {},
  database,
  otp = otpDouble(),
}: {
  address?: string
  countries?: string[]
  /** Limits that differ from the defaults. */
  env?: Readonly<Record<string, string>>
  database?: Database
  otp?: ReturnType<typeof otpDouble>
} = {}): Promise<Room> {
  const clock = manualClock()
  const kept = database ?? (await openMemory())
  const metrics = createMetrics()
  const directory = new Map([[agentPhone, { partnerAgentId: 'A01', name: 'وكيل منى', phone: agentPhone }]])
  const store = createCodesStore(kept)
  const codes = createCodes({
    database: kept,
    store,
    otp: otp.gateway,
    isAgent: async (wanted) => directory.has(wanted),
    limits: readConfig(env),
    clock,
    metrics,
    allowedCountries: countries,
  })
  const sessions = createSessions({
    database: kept,
    store: createSessionsStore(kept),
    codes,
    findAgentByPhone: async (wanted) => directory.get(wanted),
    clock,
    log: silentLog,
  })
  const cookies = sessionCookiesFor(address)
  const lines: Room['lines'] = []
  const app = await openRoomApp((room) => {
    room.addHook('onRequest', async (request) => {
      // Behind a proxy, a request comes from where the proxy says.
      const said = request.headers['x-from']
      if (typeof said === 'string') Object.defineProperty(request, 'ip', { value: said })
      const keep = (line: unknown) => void lines.push({ reqId: request.id, ...(line as object) })
      request.log = Object.assign(Object.create(request.log), { info: keep, warn: keep })
    })
    sessionsRoutes(room, sessionScope(sessions, cookies), sessions, cookies)
  })
  return {
    app,
    clock,
    otp,
    directory,
    database: kept,
    sessions,
    codes,
    store,
    lines,
    async refusalsBy(limit) {
      const found = await metrics.registry.getSingleMetric('sign_in_limits_total')?.get()
      return found?.values.find(({ labels }) => labels.limit === limit)?.value ?? 0
    },
  }
}

export const send = (browser: TestBrowser, body: object = { phone }) =>
  browser.post('/api/auth/request-otp', body)
export const verify = (browser: TestBrowser, change: object = {}) =>
  browser.post('/api/auth/verify-otp', { phone, code: rightCode, ...change })
export const sendAgent = (browser: TestBrowser, to = agentPhone) =>
  browser.post('/api/auth/send-agent-otp', { phone: to })
export const verifyAgent = (browser: TestBrowser, change: object = {}) =>
  browser.post('/api/auth/verify-agent-otp', { phone: agentPhone, code: rightCode, ...change })
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
