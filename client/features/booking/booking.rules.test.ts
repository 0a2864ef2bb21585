import { describe, expect, it } from 'vitest'
import {
  type BookingAction,
  type BookingDraft,
  type BookingState,
  bookingReducer,
  bookingVersion,
  citiesOf,
  cityChange,
  emptyDraft,
  initialBookingState,
  missingFields,
  readBooking,
  requiredFields,
  withoutWithdrawn,
} from './booking.rules.ts'

const chosen: BookingDraft = {
  type: 'FROM_MINA',
  fromCity: null,
  toCity: 'Riyadh',
  centerCode: 'RUH1',
  agentCode: 'A1',
}

function stateWith(state: Partial<BookingState>): BookingState {
  return { ...initialBookingState, ...state }
}

describe('the booking state', () => {
  it('counts steps up by one, and down but never below 0', () => {
    const up = bookingReducer(initialBookingState, { type: 'stepped-forward' })
    expect(up.step).toBe(1)
    const down = bookingReducer(up, { type: 'stepped-back' })
    expect(down.step).toBe(0)
    expect(bookingReducer(down, { type: 'stepped-back' }).step).toBe(0)
  })

  it('resets the draft when the type changes', () => {
    const next = bookingReducer(stateWith({ draft: chosen }), {
      type: 'changed',
      change: { type: 'TO_MINA' },
    })
    expect(next.draft).toEqual(emptyDraft('TO_MINA'))
  })

  it('forgets the order whose way it had when another way is chosen, and not when the same one is', () => {
    const state = stateWith({ draft: chosen, again: { orderId: 7 } })
    const changed = (agentCode: string | null) =>
      bookingReducer(state, { type: 'changed', change: { agentCode } }).again
    expect(changed('another')).toBeUndefined()
    expect(changed(chosen.agentCode)).toEqual({ orderId: 7 })
  })

  it('keeps the draft when the same type is chosen again', () => {
    const next = bookingReducer(stateWith({ draft: chosen }), {
      type: 'changed',
      change: { type: 'FROM_MINA' },
    })
    expect(next.draft).toEqual(chosen)
  })

  it('clears the centre when the city of the branch changes, and keeps it when the city stays', () => {
    const state = stateWith({ draft: chosen })
    const moved = bookingReducer(state, { type: 'changed', change: { toCity: 'Jeddah' } })
    expect(moved.draft).toEqual({ ...chosen, toCity: 'Jeddah', centerCode: null })
    expect(bookingReducer(state, { type: 'changed', change: { toCity: 'Riyadh' } }).draft).toEqual(chosen)
  })

  it.each(['TO_MINA', 'TO_AND_FROM_MINA'] as const)(
    'clears the centre of %s with its origin city',
    (type) => {
      const draft: BookingDraft = { ...chosen, type, toCity: null, fromCity: 'Riyadh' }
      const next = bookingReducer(stateWith({ draft }), { type: 'changed', change: { fromCity: 'Abha' } })
      expect(next.draft).toEqual({ ...draft, fromCity: 'Abha', centerCode: null })
    },
  )

  it('leaves the centre unchanged when the agent changes', () => {
    const next = bookingReducer(stateWith({ draft: chosen }), {
      type: 'changed',
      change: { agentCode: 'A2' },
    })
    expect(next.draft).toEqual({ ...chosen, agentCode: 'A2' })
  })

  it('goes back to step 0 and an empty draft on reset, with the history kept', () => {
    const state = stateWith({ step: 2, draft: { ...chosen, type: 'TO_MINA' }, history: [chosen] })
    expect(bookingReducer(state, { type: 'reset' })).toEqual({
      step: 0,
      draft: emptyDraft('FROM_MINA'),
      history: [chosen],
    })
  })

  it('appends the draft to the history on completion and starts afresh from Mina', () => {
    const draft: BookingDraft = { ...chosen, type: 'TO_MINA' }
    const state = stateWith({ step: 1, draft, history: [chosen] })
    expect(bookingReducer(state, { type: 'completed' })).toEqual({
      step: 0,
      draft: emptyDraft('FROM_MINA'),
      history: [chosen, draft],
    })
  })
})

describe('the order of a draft', () => {
  const ordered = [
    { type: 'ordering', key: 'k1' },
    { type: 'ordered', key: 'k1', orderId: 42 },
  ] as const
  const state = ordered.reduce<BookingState>(bookingReducer, stateWith({ step: 1, draft: chosen }))

  it('keeps its key while the draft is unchanged, also after navigation', () => {
    expect(state.order).toEqual({ key: 'k1', orderId: 42 })
    const wandered = (
      [
        { type: 'stepped-back' },
        { type: 'changed', change: { agentCode: 'A1', toCity: 'Riyadh' } },
        { type: 'stepped-forward' },
      ] as const
    ).reduce<BookingState>(bookingReducer, state)
    expect(wandered).toEqual(state)
  })

  it.each([{ agentCode: 'A2' }, { centerCode: 'RUH2' }, { toCity: 'Jeddah' }, { type: 'TO_MINA' }] as const)(
    'ends when the draft changes: %j',
    (change) => {
      expect(bookingReducer(state, { type: 'changed', change })).not.toHaveProperty('order')
    },
  )

  it.each(['reset', 'completed'] as const)('ends when the draft is %s', (type) => {
    expect(bookingReducer(state, { type })).not.toHaveProperty('order')
  })

  it('completes the draft once when it is concluded twice', () => {
    const paid = bookingReducer(state, { type: 'concluded', orderId: 42 })
    expect(paid).toEqual({ step: 0, draft: emptyDraft(), history: [chosen] })
    expect(bookingReducer(paid, { type: 'concluded', orderId: 42 })).toEqual(paid)
  })

  it('leaves the draft unchanged when another order is concluded', () => {
    expect(bookingReducer(state, { type: 'concluded', orderId: 41 })).toEqual(state)
  })

  it.each([undefined, { key: 'k2' }])(
    'is an earlier one where it is answered under another key: %j',
    (order) => {
      const changed = stateWith({ draft: chosen, order })
      expect(bookingReducer(changed, { type: 'ordered', key: 'k1', orderId: 42 })).toEqual({
        ...changed,
        earlierOrderId: 42,
      })
    },
  )
})

describe('another bag over the way of an order', () => {
  const way: BookingDraft = { ...chosen, toCity: 'Jeddah', centerCode: 'JED1' }
  const source = { orderId: 7 }
  const again = (state: Partial<BookingState>, change: Partial<BookingAction & { type: 'again' }> = {}) =>
    bookingReducer(stateWith(state), { type: 'again', way, source, ...change })

  it('fills the draft, names nobody to collect it, and has no order yet', () => {
    const next = again({ history: [chosen] })
    expect(next).toEqual({ step: 1, draft: way, again: source, history: [chosen] })
    expect(next).not.toHaveProperty('order')
  })

  it('puts a booking that was begun aside, which comes back when the other one is an order', () => {
    const named = { receiver: { name: 'Sara' } }
    const next = again({ draft: chosen, named })
    expect(next).toMatchObject({ draft: way, aside: { draft: chosen, named } })
    expect(next.named).toBeUndefined()
    expect(bookingReducer(next, { type: 'again', way, source })).toEqual(next)
    const paid = [
      { type: 'ordering', key: 'k1' },
      { type: 'ordered', key: 'k1', orderId: 8 },
      { type: 'concluded', orderId: 8 },
    ] as const
    expect(paid.reduce<BookingState>(bookingReducer, next)).toEqual({
      step: 0,
      draft: chosen,
      named,
      history: [way],
    })
  })

  it('goes back to the booking that was put aside, with the key that it was sent with', () => {
    const next = again({ draft: chosen, order: { key: 'k1' } })
    expect(bookingReducer(next, { type: 'resumed' })).toEqual({
      step: 0,
      draft: chosen,
      order: { key: 'k1' },
      history: [],
    })
    expect(bookingReducer(stateWith({ draft: chosen }), { type: 'resumed' })).toEqual(
      stateWith({ draft: chosen }),
    )
  })

  it('puts nothing aside that is the same way or an order already', () => {
    expect(again({ draft: way }).aside).toBeUndefined()
    expect(again({ draft: chosen, order: { key: 'k1', orderId: 6 } })).toEqual({
      step: 1,
      draft: way,
      again: source,
      earlierOrderId: 6,
      history: [],
    })
  })

  it('keeps the booking that was put aside when the way of a further order is taken', () => {
    const next = bookingReducer(again({ draft: chosen }), {
      type: 'again',
      way: { ...way, agentCode: 'A2' },
      source: { orderId: 9 },
    })
    expect(next.aside?.draft).toEqual(chosen)
  })

  it('is another order than the one that is repeated', () => {
    const paid = stateWith({ draft: way, order: { key: 'k1', orderId: 7 } })
    const next = again(bookingReducer(paid, { type: 'concluded', orderId: 7 }))
    expect(next).toEqual({ step: 1, draft: way, again: source, history: [way] })
    expect(next.order).toBeUndefined()
  })

  it('goes on with the unpaid order that was made for it, so that pressing again makes no second one', () => {
    const order = { key: 'k1', orderId: 8 }
    expect(again({ draft: way, order }).order).toEqual(order)
    expect(again({ draft: way, order: { key: 'k1' } }).order).toEqual({ key: 'k1' })
  })
})

it('another receiver makes another order, and is none of the next booking', () => {
  const named = { receiver: { name: 'Sara' } }
  const state = stateWith({ draft: chosen, order: { key: 'k1', orderId: 42 } })
  const next = bookingReducer(state, { type: 'named', named })
  expect(next).toEqual(stateWith({ draft: chosen, named, earlierOrderId: 42 }))
  expect(bookingReducer(next, { type: 'changed', change: { agentCode: 'A2' } })).toMatchObject({ named })
  expect(bookingReducer(next, { type: 'completed' })).not.toHaveProperty('named')
})

describe('another receiver after an attempt without a number', () => {
  const named = { receiver: { name: 'Sara' } }
  const renamed = (
    [
      { type: 'ordering', key: 'k1' },
      { type: 'named', named },
    ] as const
  ).reduce<BookingState>(bookingReducer, stateWith({ draft: chosen }))

  it('is ordered under the same key, where that made nothing', () => {
    const paid = bookingReducer(renamed, { type: 'ordered', key: 'k1', orderId: 42 })
    expect(paid).toEqual(stateWith({ draft: chosen, named, order: { key: 'k1', orderId: 42 } }))
  })

  it('leaves an earlier order, where the server kept one under that key', () => {
    expect(bookingReducer(renamed, { type: 'ordering', key: 'k2' })).toEqual(
      stateWith({ draft: chosen, named, order: { key: 'k2' }, earlierOrderId: null }),
    )
  })
})

describe('what Continue asks for', () => {
  it.each([
    ['FROM_MINA', ['agentCode', 'toCity', 'centerCode']],
    ['TO_MINA', ['fromCity', 'centerCode', 'agentCode']],
    ['TO_AND_FROM_MINA', ['fromCity', 'centerCode', 'agentCode']],
  ] as const)('%s needs %j', (type, fields) => {
    expect(requiredFields(type)).toEqual(fields)
    expect(missingFields(emptyDraft(type))).toEqual(fields)
  })

  it('names only the field that is missing', () => {
    expect(missingFields(chosen)).toEqual([])
    expect(missingFields({ ...chosen, agentCode: null })).toEqual(['agentCode'])
    expect(missingFields({ ...chosen, centerCode: '' })).toEqual(['centerCode'])
  })

  it('does not ask for the city of the other direction', () => {
    expect(missingFields({ ...chosen, type: 'TO_MINA' })).toEqual(['fromCity'])
  })
})

describe('a draft and the partner’s current lists', () => {
  const lists = {
    centers: [
      { code: 'RUH1', city: 'Riyadh' },
      { code: 'JED1', city: 'Jeddah' },
    ],
    agents: [{ id: 'A1' }],
  }

  it('keeps choices that are still offered', () => {
    expect(withoutWithdrawn(chosen, lists)).toEqual(chosen)
  })

  it('drops an agent, a branch or a city that is no longer offered', () => {
    expect(withoutWithdrawn({ ...chosen, agentCode: 'A9' }, lists).agentCode).toBeNull()
    expect(withoutWithdrawn({ ...chosen, centerCode: 'RUH9' }, lists).centerCode).toBeNull()
    expect(withoutWithdrawn({ ...chosen, toCity: 'Atlantis' }, lists)).toMatchObject({
      toCity: null,
      centerCode: null,
    })
  })

  it('drops a branch of another city', () => {
    expect(withoutWithdrawn({ ...chosen, centerCode: 'JED1' }, lists).centerCode).toBeNull()
  })
})

it('lists every city of the centres once, sorted by the name that is shown', () => {
  const centers = [{ city: 'Jeddah' }, { city: 'Abha' }, { city: 'Jeddah' }]
  const shown = (city: string) => (city === 'Abha' ? 'ي' : 'ج')
  expect(citiesOf(centers, shown, new Intl.Collator('ar').compare)).toEqual([
    { value: 'Jeddah', label: 'ج', branchCount: 2, isPopular: false },
    { value: 'Abha', label: 'ي', branchCount: 1, isPopular: false },
  ])
})

describe('a stored state', () => {
  it('is restored unchanged', () => {
    const state = stateWith({ step: 1, draft: chosen, history: [chosen] })
    expect(readBooking({ version: bookingVersion, ...state })).toEqual(state)
  })

  it.each([undefined, null, 7, {}, initialBookingState, { version: 0, ...initialBookingState }])(
    'is dropped when it has another version: %j',
    (stored) => {
      expect(readBooking(stored)).toBeUndefined()
    },
  )
})

describe('an order whose route is changed before it is paid', () => {
  const ordered = [
    { type: 'changed', change: { agentCode: 'A1', toCity: 'Riyadh', centerCode: 'RUH1' } },
    { type: 'ordering', key: 'k1' },
    { type: 'ordered', key: 'k1', orderId: 41 },
  ] as const satisfies readonly BookingAction[]
  const changed = { type: 'changed', change: { agentCode: 'A2' } } as const
  const stateAfter = (...actions: readonly BookingAction[]) =>
    actions.reduce(bookingReducer, initialBookingState)

  it('is not the order of the new route, and its number is kept', () => {
    const state = stateAfter(...ordered, changed)
    expect(state.order).toBeUndefined()
    expect(state.earlierOrderId).toBe(41)
    expect(stateAfter(...ordered, changed, { type: 'ordering', key: 'k2' }).earlierOrderId).toBe(41)
  })

  it('is not kept when the same is chosen again, or when no order was created', () => {
    expect(stateAfter(...ordered, ordered[0])).toMatchObject({ order: { orderId: 41 } })
    expect(stateAfter(...ordered, ordered[0]).earlierOrderId).toBeUndefined()
    expect(stateAfter(ordered[0], ordered[1], changed).earlierOrderId).toBeUndefined()
  })

  it('is dropped once it is paid, and the draft of the new route stays', () => {
    const state = stateAfter(...ordered, changed, { type: 'concluded', orderId: 41 })
    expect(state.earlierOrderId).toBeUndefined()
    expect(state.draft.agentCode).toBe('A2')
    expect(stateAfter(...ordered, changed, { type: 'reset' }).earlierOrderId).toBeUndefined()
  })
})

describe('a choice of city', () => {
  const centers = [
    { code: 'RUH1', city: 'Riyadh' },
    { code: 'RUH2', city: 'Riyadh' },
    { code: 'ABH1', city: 'Abha' },
  ]

  it('selects its only branch', () => {
    expect(cityChange('toCity', 'Abha', centers)).toEqual({ toCity: 'Abha', centerCode: 'ABH1' })
  })

  it('selects no branch when there are two', () => {
    expect(cityChange('fromCity', 'Riyadh', centers)).toEqual({ fromCity: 'Riyadh' })
  })
})

describe('the popular cities', () => {
  const branches = (city: string, count: number) => Array.from({ length: count }, () => ({ city }))
  const popularOf = (centers: readonly { city: string }[]) =>
    citiesOf(centers, String, (a, b) => a.localeCompare(b))
      .filter(({ isPopular }) => isPopular)
      .map(({ value }) => value)
  const small = ['A', 'B', 'C', 'D', 'E'].flatMap((city) => branches(city, 1))

  it('are the four with the most branches', () => {
    const centers = [
      ...small,
      ...branches('Taif', 2),
      ...branches('Jeddah', 4),
      ...branches('Riyadh', 9),
      ...branches('Abha', 3),
    ]
    expect(popularOf(centers)).toEqual(['Abha', 'Jeddah', 'Riyadh', 'Taif'])
  })

  it('are none where there are few cities', () => {
    expect(popularOf([...small, ...branches('Riyadh', 9)])).toEqual([])
    expect(popularOf([])).toEqual([])
  })
})
