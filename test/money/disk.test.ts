import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import { createDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { issuedAwb, newPhone, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { callbackOf, deliver, type MailBox, openMailBox, successOn } from '#test/kit/callbacks.ts'
import { eventually } from '#test/kit/eventually.ts'
import { type Answer, newPerson, problemOf } from '#test/kit/person.ts'
import { silentLog } from '#test/kit/room-app.ts'
import { shipmentsByOrder } from '#test/kit/shipments.ts'
import type { Stack } from '#test/kit/stack.ts'
import { freshDatabaseUrl, startStage } from '#test/kit/stage.ts'

let mail: MailBox
let stack: Stack
let pilgrim: Pilgrim
let offer: CheckoutRequest

beforeAll(async () => {
  mail = await openMailBox()
  stack = await startStage({ engine: 'sqlite', gateways: 1 }, mail.url)
  pilgrim = await signedUpPilgrim(stack)
  const { person, user } = pilgrim
  const [[agent], [center]] = await Promise.all([person.agents(), person.centers()])
  offer = {
    userId: user.id,
    type: 'FROM_MINA',
    noOfPackages: 1,
    agentCode: agent?.id ?? '',
    centerCode: center?.code ?? '',
    amount: 50,
  }
})
afterAll(async () => {
  await stack?.close()
  await mail?.close()
})

/** Somebody who holds the file and lets nobody else write. */
function holdFile(): { release(): void } {
  const file = new DatabaseSync(`${stack.dataDir}/amtiati.sqlite`, { timeout: 5_000 })
  file.exec('BEGIN EXCLUSIVE')
  return {
    release() {
      file.exec('ROLLBACK')
      file.close()
    },
  }
}

async function place() {
  const { orderId } = await eventually(() => pilgrim.person.call(checkout, { body: offer }))
  const [payment] = await stack.control.paymentsOf(orderId)
  if (payment === undefined) throw new Error('the provider knows no payment of the order')
  return { orderId, callback: callbackOf(successOn(payment)) }
}

/** A gateway that was kept waiting by the file refuses people for a moment after, because it counts as overloaded. */
const readOrder = (orderId: number) => eventually(() => pilgrim.person.order(orderId))
const readiness = async () => (await fetch(`${stack.gatewayUrl}/readyz`)).status
const becomesReady = () =>
  eventually(async () => ((await readiness()) === 200 ? true : undefined), { withinMs: 30_000 })
const countOrders = async () => (await eventually(() => pilgrim.person.orders(pilgrim.user.id))).length

describe('a database that takes no writes', () => {
  it('refuses a checkout, and neither an order nor an intention is left of it', async () => {
    const before = await countOrders()
    const { intentions } = await stack.control.counters()
    const held = holdFile()
    let status: number
    try {
      status = (await pilgrim.person.send('POST', checkout.path, { body: offer })).status
    } finally {
      held.release()
    }
    expect(status).toBeGreaterThanOrEqual(500)
    await becomesReady()
    expect(await countOrders()).toBe(before)
    expect((await stack.control.counters()).intentions).toBe(intentions)
  })

  it('answers a callback with 5xx, so that it comes again and then pays', async () => {
    const { orderId, callback } = await place()
    const held = holdFile()
    let statuses: number[]
    try {
      statuses = await Promise.all([1, 2, 3].map(() => deliver(stack.gatewayUrl, callback)))
    } finally {
      held.release()
    }
    expect(statuses.every((status) => status >= 500)).toBe(true)
    await becomesReady()
    const order = await readOrder(orderId)
    expect([order.status, order.transactionId]).toEqual(['PENDING_PAYMENT', undefined])

    expect(await deliver(stack.gatewayUrl, callback)).toBe(200)
    expect((await readOrder(orderId)).status).toBe('PAID')
    await issuedAwb(pilgrim.person, orderId)
    expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
  })

  it('makes the gateway say that it is not ready, while what is read still is', async () => {
    const { orderId } = await place()
    const held = holdFile()
    try {
      expect(await readiness()).toBe(503)
      expect((await fetch(`${stack.gatewayUrl}/healthz`)).status).toBe(200)
    } finally {
      held.release()
    }
    await becomesReady()
    expect((await readOrder(orderId)).status).toBe('PENDING_PAYMENT')
  })
})

/** A gateway inside this process, whose database can be told how large it may become. */
async function openNarrowGateway() {
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-narrow-'))
  const parts = openSqlite(join(folder, 'amtiati.sqlite'))
  await migrate(parts)
  const database = createDatabase(parts)
  const config = readConfig({
    MOCK_PARTNER_PORT: new URL(stack.mockUrl).port,
    DATA_DIR: folder,
    CALLBACK_URL: mail.url,
  })
  const app = await createGateway({ config, database, logger: silentLog, version: '0' })
  const gatewayUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    gatewayUrl,
    /** SQLite takes a limit below the present size for the present size. */
    limitPages: (count: number) => sql`PRAGMA max_page_count = ${sql.lit(count)}`.execute(parts.kysely),
    async close() {
      await app.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

describe('a disk that is full', () => {
  it('loses nothing that was promised, promises nothing that was not kept, and goes on when there is room', async () => {
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
      expect(refusal?.status).toBe(500)
      expect(problemOf(refusal?.status ?? 0, refusal?.json).code).toBe('UNEXPECTED')

      // A callback brings the whole of its body to be kept: there is no room for that either.
      const callbacks = Array.from({ length: 20 }, () => callbackOf(successOn(payment)))
      const statuses: number[] = []
      for (const callback of callbacks) statuses.push(await deliver(gatewayUrl, callback))
      expect(statuses).toContain(500)
      const isStored = statuses.includes(200)
      // Asked with the list, because looking at one order asks the provider.
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

describe('a PostgreSQL that takes nobody in', () => {
  it('gives 5xx and a gateway that is not ready but alive, and what was told meanwhile counts afterwards', async () => {
    const url = await freshDatabaseUrl()
    const far = await startStage({ engine: 'postgres', gateways: 1 }, mail.url, { DATABASE_URL: url })
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
      // What was found is the answer for a second.
      await eventually(async () => ((await statusOf('/readyz')) === 503 ? true : undefined))
      // Whoever looks after the gateway sees it, all the more now.
      expect(await statusOf('/healthz')).toBe(200)
      expect(await statusOf('/metrics')).toBe(200)

      await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`)
      await eventually(async () => ((await statusOf('/readyz')) === 200 ? true : undefined))
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
