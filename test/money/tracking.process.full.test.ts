import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { openBalancer } from '#test/kit/balancer.ts'
import type { AdvanceWish, Fault, JourneyStep, PushFate, ShipmentView } from '#test/kit/control.ts'
import { freshPostgresUrl } from '#test/kit/databases.ts'
import { deploymentsOrOne, startDeployment } from '#test/kit/deployments.ts'
import { eventually } from '#test/kit/eventually.ts'
import { isFull } from '#test/kit/full-run.ts'
import { createRandom, runSeed } from '#test/kit/random.ts'
import { openRows } from '#test/kit/rows.ts'

/**
 * Bags travel while every fifth call of the courier's tracking fails, pushes are lost, doubled and shuffled, and gateways
 * are killed. When everything has settled, each scan of the courier is stored once, and every bag is where its scans say.
 */

const bagCount = isFull ? 40 : 5
const kills = isFull ? 8 : 2
const settledWithinMs = 480_000

const fates: readonly [PushFate, ...PushFate[]] = ['send', 'lose', 'twice', 'late', 'shuffle']
const wrong: readonly [Fault, ...Fault[]] = [
  { kind: 'lose-answer' },
  { kind: 'reset' },
  { kind: 'status', status: 500 },
  { kind: 'garbage' },
]
const way: readonly JourneyStep[] = ['picked-up', 'exception', 'in-transit', 'at-branch', 'collected']

const keysOf = ({ awb, scans }: ShipmentView) =>
  scans.map(({ ScanType, ScanDateTime, City }) => `${awb}|${ScanType}|${ScanDateTime}|+03:00|${City ?? ''}`)

describe.each(deploymentsOrOne('postgres'))('scans on $name', ({ engine, gateways }) => {
  it('are neither lost nor doubled', async () => {
    const random = createRandom(runSeed)
    const database = engine === 'postgres' ? { DATABASE_URL: await freshPostgresUrl() } : {}
    const balancer = await openBalancer()
    const stack = await startDeployment({ engine, gateways }, balancer.url, {
      ...database,
      TRACKING_POLL_INTERVAL: '5s',
    })
    const rows = openRows(stack, database.DATABASE_URL)
    try {
      balancer.forwardTo(stack.gatewayUrls)
      const pilgrim = await signedUpPilgrim(stack)
      const awbs: string[] = []
      for (let index = 0; index < bagCount; index += 1)
        awbs.push(await issuedAwb(pilgrim.person, await paidOrder(stack, pilgrim)))

      for (const [step, to] of way.entries()) {
        await stack.control.setFault('tracking', { ...random.pick(wrong), probability: 0.2 })
        for (const awb of awbs) {
          const wish: AdvanceWish = { to, push: random.pick(fates), delayMs: random.between(0, 3_000) }
          await stack.control.advance(awb, wish)
        }
        if (step < kills) {
          const index = step % gateways
          await stack.killGateway('SIGKILL', index)
          await stack.startGateway(index)
        }
      }
      await stack.control.endFaults()

      const expected = (await stack.control.shipments()).flatMap(keysOf).toSorted()
      expect(expected.length).toBeGreaterThanOrEqual(bagCount * way.length)
      const stored = async () =>
        (
          await rows.read(
            sql<{ event_key: string }>`select event_key from booking_events where source = 'courier'`,
          )
        )
          .map(({ event_key }) => event_key)
          .toSorted()
      await eventually(async () => ((await stored()).length >= expected.length ? true : undefined), {
        withinMs: settledWithinMs,
      }).catch(() => undefined)
      expect(await stored()).toEqual(expected)
      const orders = await pilgrim.person.orders(pilgrim.user.id)
      expect(orders.flatMap(({ bookings }) => bookings.map(({ state }) => state))).toEqual(
        Array.from({ length: Math.min(bagCount, orders.length) }, () => 'COLLECTED'),
      )
    } finally {
      await rows.close()
      await stack.close()
      await balancer.close()
    }
  })
})
