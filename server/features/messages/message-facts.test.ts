import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { insertClaim } from '#server/features/claims/claims.queries.ts'
import { recordEvent } from '#server/features/history/history.ts'
import type { PartnerProvider } from '#server/features/partner/partner.provider.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Center } from '#shared/partner/partner.schemas.ts'
import { hour, type ManualClock, manualClock } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { center } from '#test/kit/orders/orders.ts'
import { addBag, awbOf, recordBagStep } from '#test/kit/orders/outbox.ts'
import { bagEvent } from '#test/kit/orders/stored-orders.ts'
import { readMessageFacts } from './message-facts.ts'

/** A Wednesday morning in Riyadh. */
const now = Date.parse('2027-06-16T06:00:00Z')
const open: Center = { ...center, code: '1', hours: { week: [{ days: [3], from: '08:00', to: '23:00' }] } }
const until = Date.parse('2027-06-16T20:00:00Z')

let clock: ManualClock
let database: Database
beforeEach(async () => {
  clock = manualClock(now)
  database = await openMemory(clock)
  await database.tables
    .insertInto('users')
    .values({ id: 1, phone: '+966512345678', name: 'Maryam', created_at: now })
    .execute()
})
afterEach(() => database.close())

const bag = { userId: 1, orderId: 1, bookingId: 2 }
const message = { order_id: 1, booking_id: 2, reported_event_id: 3 }
const addBagOf = (change: Partial<Row<'bookings'>>) =>
  addBag(database, { ...bag, promises: { transitDays: { default: [2, 4] } } }, change)
const listing = (...rows: readonly Center[]) => ({ fetchCenters: async () => ({ rows, dropped: {} }) })
/** A gateway whose courier lists these branches. */
function openListing({ fetchCenters }: Pick<PartnerProvider, 'fetchCenters'>) {
  const partner = { fetchCenters, fetchAgents: () => Promise.reject(new Error('no agents')) }
  return openCore({ database, clock }, { providers: { partner } })
}
const openClaim = (core: Core, booking_id: number) =>
  insertClaim(core, {
    user_id: 1,
    order_id: 1,
    booking_id,
    kind: 'late',
    idem_key: null,
    body_hash: 'hash',
    opened_at: now,
    answer_by: until,
  })

it.each([
  ['the opening of its branch at this moment', 0, listing(open), { state: 'open', until }],
  ['nothing of a branch that is not listed any more', 0, listing({ ...open, code: '2' }), undefined],
  [
    'nothing while the list is not known',
    0,
    { fetchCenters: () => Promise.reject(new Error('no list')) },
    undefined,
  ],
  ['nothing where the bag ends at no branch', 1, listing(open), undefined],
])('a message may name %s', async (_, leg, partner, opening) => {
  const core = await openListing(partner)
  await addBagOf({ leg })
  const facts = await readMessageFacts(core, { ...message, kind: 'at-branch' })
  expect(facts).toMatchObject({ awbs: [awbOf(2)], returned: null })
  expect(facts?.opening).toEqual(opening)
})

describe('a message about a claim', () => {
  it('names its step, and waits for no airway bill', async () => {
    const core = await openListing(listing(open))
    await addBagOf({ awb: null, carriage: 'awaiting-label' })
    await openClaim(core, 2)
    const reported_event_id = await database.transaction(() =>
      recordEvent(core, {
        kind: 'claim-answered',
        data: { personal: null },
        by: { kind: 'system' },
        claimId: 1,
        userId: 1,
        orderId: 1,
      }),
    )
    const facts = await readMessageFacts(core, {
      ...message,
      booking_id: 0,
      kind: 'claim-answered',
      reported_event_id: reported_event_id ?? 0,
    })
    const claim = { number: 'CL-1', answerBy: until, outcome: null, repeatedAt: null }
    expect(facts).toMatchObject({ claim, awaitsAwb: false })
  })
})

it.each([
  [2, undefined],
  [3, awbOf(2)],
])(
  'no message says that a bag is late which its owner has reported: a claim about bag %i',
  async (of, awb) => {
    const core = await openListing(listing(open))
    await addBagOf({})
    await addBag(database, { ...bag, bookingId: 3 })
    await recordBagStep(database, bag, bagEvent('handed-over', now - hour))
    await openClaim(core, of)
    const facts = await readMessageFacts(core, { ...message, kind: 'late' })
    expect(facts?.awbs[0]).toBe(awb)
  },
)
