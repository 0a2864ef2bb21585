import { describe, expect, it } from 'vitest'
import { manualClock } from '#test/kit/clock.ts'
import { openMemory } from '#test/kit/memory-database.ts'
import { createFactsReader } from './messages.feature.ts'

/** A Wednesday morning in Riyadh. */
const clock = manualClock(Date.parse('2027-06-16T06:00:00Z'))
const hours = { week: [{ days: [3], from: '08:00', to: '23:00' }] }
const until = Date.parse('2027-06-16T20:00:00Z')

it.each([
  ['the opening of its branch at this moment', '7', async () => ({ hours }), { state: 'open', until }],
  ['nothing of a branch that is not listed any more', '7', async () => undefined, undefined],
  ['nothing while the list is not known', '7', () => Promise.reject(new Error('no list')), undefined],
  ['nothing where the bag is at no branch', null, async () => ({ hours }), undefined],
])('a message may name %s', async (_, branchCode, findCenter, opening) => {
  const news = {
    awbs: ['231200021879'],
    awaitsAwb: false,
    isPaid: true,
    place: { city: 'Riyadh' },
    branchCode,
    receiver: null,
  }
  const read = createFactsReader(
    { database: await openMemory(), clock },
    {
      orders: { readNews: async () => news },
      payments: { readReturned: async () => undefined },
      claims: { readStep: async () => undefined, isReported: async () => false },
      partner: { findCenter },
    },
  )
  const facts = await read({ kind: 'at-branch', order_id: 1, booking_id: 2, reported_event_id: 3 })
  expect(facts).toMatchObject({ awbs: news.awbs, returned: null })
  expect(facts?.opening).toEqual(opening)
})

describe('a message about a claim', () => {
  const claim = { number: 'CL-7', answerBy: until, outcome: null, repeatedAt: null }
  const news = { awbs: [], awaitsAwb: true, isPaid: true, place: null, branchCode: '7', receiver: null }
  const read = async (readStep: (eventId: number) => Promise<typeof claim | undefined>) =>
    createFactsReader(
      { database: await openMemory(), clock },
      {
        orders: { readNews: async () => news },
        payments: { readReturned: async () => undefined },
        claims: { readStep, isReported: async () => false },
        partner: { findCenter: async () => ({ hours }) },
      },
    )({ kind: 'claim-answered', order_id: 1, booking_id: 0, reported_event_id: 3 })

  it('names its step, and waits for no airway bill', async () => {
    const facts = await read(async (eventId) => (eventId === 3 ? claim : undefined))
    expect(facts).toMatchObject({ claim, awaitsAwb: false })
  })

  it('is none where the claim has gone on', async () => {
    expect(await read(async () => undefined)).toBeUndefined()
  })
})

it.each([
  [true, undefined],
  [false, '231200021879'],
])('a bag that its owner has reported is announced as late to nobody: %s', async (isReported, awb) => {
  const news = {
    awbs: ['231200021879'],
    awaitsAwb: false,
    isPaid: true,
    place: null,
    branchCode: null,
    receiver: null,
  }
  const read = createFactsReader(
    { database: await openMemory(), clock },
    {
      orders: { readNews: async () => news },
      payments: { readReturned: async () => undefined },
      claims: { readStep: async () => undefined, isReported: async (id) => isReported && id === 2 },
      partner: { findCenter: async () => undefined },
    },
  )
  const facts = await read({ kind: 'late', order_id: 1, booking_id: 2, reported_event_id: 3 })
  expect(facts?.awbs[0]).toBe(awb)
})
