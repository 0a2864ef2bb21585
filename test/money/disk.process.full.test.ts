import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '#server/app.ts'
import { sessionTouchMs } from '#server/features/sessions/sessions.rules.ts'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import { readConfig } from '#server/platform/config.ts'
import { createDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { readLabel } from '#shared/orders/orders.api.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { issuedAwb, newPhone, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { manualClock } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { patientLimits } from '#test/kit/basics/patience.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { type Answer, newPerson, problemOf } from '#test/kit/gateway/person.ts'
import { callbackOf, deliver, type MailBox, openMailBox, successOn } from '#test/kit/orders/callbacks.ts'
import { shipmentsByOrder } from '#test/kit/orders/shipments.ts'
import { startDeployment } from '#test/kit/programs/deployments.ts'
import type { ProcessStack } from '#test/kit/programs/stack.ts'

let mail: MailBox
let stack: ProcessStack
let pilgrim: Pilgrim
let offer: CheckoutRequest

beforeAll(async () => {
  mail = await openMailBox()
  stack = await startDeployment({ engine: 'sqlite', gateways: 1 }, mail.url)
  pilgrim = await signedUpPilgrim(stack)
  offer = await pilgrim.person.offer(pilgrim.user.id)
})
afterAll(async () => {
  await stack?.close()
  await mail?.close()
})

/** What `/readyz` tells of the database, also where it is 200 without it. */
const databaseState = async (gatewayUrl: string) => {
  const answer = await fetch(`${gatewayUrl}/readyz`)
  const { database } = (await answer.json()) as { database: string }
  return `${answer.status} ${database}`
}
const becomes = (state: string, { gatewayUrl }: ProcessStack) =>
  eventually(async () => ((await databaseState(gatewayUrl)) === state ? true : undefined))

/** A gateway inside this process, whose database has an adjustable maximum size. */
async function openNarrowGateway(change: { logger?: Logger; clock?: Clock } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-narrow-'))
  const parts = openSqlite(join(folder, 'amtiati.sqlite'))
  await migrate(parts)
  const database = createDatabase(parts)
  const config = readConfig({
    MOCK_PARTNER_PORT: new URL(stack.mockUrl).port,
    DATA_DIR: folder,
    CALLBACK_URL: mail.url,
  })
  const app = await createGateway({
    config: { ...config, limits: patientLimits },
    database,
    logger: silentLog,
    version: '0',
    ...change,
  })
  const gatewayUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    gatewayUrl,
    /** SQLite reads a limit below the current size as the current size. */
    limitPages: (count: number) => sql`PRAGMA max_page_count = ${sql.lit(count)}`.execute(parts.kysely),
    /** As on a disk that cannot be written at all: SQLite refuses every statement that writes. */
    refuseWrites: (isRefused: boolean) =>
      sql`PRAGMA query_only = ${sql.lit(isRefused ? 1 : 0)}`.execute(parts.kysely),
    async close() {
      await app.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

describe('a disk that is full', () => {
  it('loses no confirmed data, confirms nothing that is not stored, and works again when there is space', async () => {
    const narrow = await openNarrowGateway()
    try {
      const { gatewayUrl } = narrow
      const person = newPerson(stack, { gatewayUrl })
      const user = await person.signUp(newPhone(), 'Maryam Al-Harbi')
      await Promise.all([person.agents(), person.centers()])
      const order = () => person.send('POST', checkout.path, { body: { ...offer, userId: user.id } })
      const numberIn = ({ json }: Answer) => (json as { orderId: number }).orderId
      const listed = async () =>
        (
          await person.call(listUserOrders, {
            params: { userId: String(user.id) },
            query: { limit: '100' },
          })
        ).orders

      const unpaid = numberIn(await order())
      const [payment] = await stack.control.paymentsOf(unpaid)
      if (payment === undefined) throw new Error('the provider knows no payment of the order')

      await narrow.limitPages(1)
      const promised = [unpaid]
      let refusal: Answer | undefined
      while (refusal === undefined && promised.length < 90) {
        const answer = await order()
        if (answer.status === 200) promised.push(numberIn(answer))
        else refusal = answer
      }
      expect(refusal?.status).toBe(503)
      expect(problemOf(refusal?.status ?? 0, refusal?.json).code).toBe('STORAGE_UNAVAILABLE')

      // A callback is stored with its whole body: there is no space for that either.
      const callbacks = Array.from({ length: 20 }, () => callbackOf(successOn(payment)))
      const statuses: number[] = []
      for (const callback of callbacks) statuses.push(await deliver(gatewayUrl, callback))
      expect(statuses).toContain(503)
      const isStored = statuses.includes(200)
      // Read from the list, because reading a single order inquires at the provider.
      const seen = (await listed()).find(({ orderId }) => orderId === unpaid)
      expect(seen?.status).toBe(isStored ? 'PAID' : 'PENDING_PAYMENT')

      await narrow.limitPages(1_000_000)
      for (const callback of callbacks) expect(await deliver(gatewayUrl, callback)).toBe(200)
      expect((await order()).status).toBe(200)
      const kept = await listed()
      expect(promised.filter((number) => !kept.some(({ orderId }) => orderId === number))).toEqual([])
      expect(kept.find(({ orderId }) => orderId === unpaid)?.status).toBe('PAID')
      await issuedAwb(person, unpaid)
      expect((await fetch(`${gatewayUrl}/readyz`)).status).toBe(200)
    } finally {
      await narrow.close()
    }
  })
})

describe('a disk that cannot be written', () => {
  it('lets users read their data, refuses the rest with 503, and the log says why', async () => {
    const lines: string[] = []
    const clock = manualClock(systemClock.now())
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
    const narrow = await openNarrowGateway({ logger, clock })
    try {
      const { gatewayUrl } = narrow
      const person = newPerson(stack, { gatewayUrl, lang: 'en' })
      const user = await person.signUp(newPhone(), 'Maryam Al-Harbi')
      const unpaid = await person.checkout(user.id)
      const { orderId } = await person.checkout(user.id)
      const [payment] = await stack.control.paymentsOf(orderId)
      if (payment === undefined) throw new Error('the provider knows no payment of the order')
      expect(await deliver(gatewayUrl, callbackOf(successOn(payment)))).toBe(200)
      const awb = await issuedAwb(person, orderId)

      await narrow.refuseWrites(true)
      // So late that the session's last use has to be written.
      clock.advance(2 * sessionTouchMs)
      expect(await person.call(readUserSession)).toMatchObject({ userId: user.id })
      expect((await person.orders(user.id)).map(({ status }) => status)).toEqual(['PAID', 'PENDING_PAYMENT'])
      for (const each of [orderId, unpaid.orderId]) expect((await person.order(each)).orderId).toBe(each)
      expect((await person.call(readLabel, { params: { awb } })).awbFile).not.toBe('')
      expect((await person.agents()).length).toBeGreaterThan(0)

      const refusal = await person.refusalOf(checkout, { body: { ...offer, userId: user.id } })
      expect(refusal.problem).toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
        message: 'We cannot save anything right now. Try again in 5 seconds.',
      })
      expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await deliver(gatewayUrl, callbackOf(successOn(payment, { id: 990_001 })))).toBe(503)
      const line = lines.find((text) => text.includes(refusal.problem.requestId) && text.includes('"err"'))
      expect(line).toContain('attempt to write a readonly database')

      await narrow.refuseWrites(false)
      await person.checkout(user.id)
    } finally {
      await narrow.close()
    }
  })
})

describe('a PostgreSQL that accepts no connection', () => {
  it('leads to 5xx where it is needed and nowhere else, and callbacks of that time count afterwards', async () => {
    const url = await freshPostgresUrl()
    const far = await startDeployment({ engine: 'postgres', gateways: 1 }, mail.url, { DATABASE_URL: url })
    const name = new URL(url).pathname.slice(1)
    const admin = new pg.Client({ connectionString: url.replace(`/${name}`, '/postgres') })
    await admin.connect()
    try {
      const { person, user } = await signedUpPilgrim(far)
      const { orderId } = await person.checkout(user.id)
      const [payment] = await far.control.paymentsOf(orderId)
      if (payment === undefined) throw new Error('the provider knows no payment of the order')
      const callback = callbackOf(successOn(payment))
      const statusOf = async (path: string) => (await fetch(`${far.gatewayUrl}${path}`)).status

      await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`)
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
      expect(await deliver(far.gatewayUrl, callback)).toBeGreaterThanOrEqual(500)
      expect((await person.send('POST', checkout.path, { body: offer })).status).toBeGreaterThanOrEqual(500)
      await becomes('200 down', far)
      for (const path of ['/api/config', '/api/partner/agents', '/api/partner/centers'])
        expect(await statusOf(path)).toBe(200)
      // Metrics stay readable for the operator.
      expect(await statusOf('/healthz')).toBe(200)
      expect(await statusOf('/metrics')).toBe(200)

      await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`)
      await becomes('200 up', far)
      expect((await person.order(orderId)).status).toBe('PENDING_PAYMENT')
      expect(await deliver(far.gatewayUrl, callback)).toBe(200)
      expect((await person.order(orderId)).status).toBe('PAID')
      await issuedAwb(person, orderId)
      expect((await shipmentsByOrder(far.control)).get(orderId)).toBe(1)
    } finally {
      await admin.end()
      await far.close()
    }
  })
})
