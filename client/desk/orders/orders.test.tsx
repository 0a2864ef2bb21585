// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { deskOrderOf, deskRowOf } from '#test/builders/desk.builder.ts'
import { openDesk as open } from '#test/kit/client/render-desk.tsx'
import { problem } from '#test/kit/client/render-page.tsx'

const readOrder = (id: number) => ({
  [`GET /api/desk/orders/${id}`]: { body: { success: true, order: deskOrderOf(id) } },
})
const found = (orders: number[], exact: number | null = null, claims: object[] = []) => ({
  body: {
    success: true,
    exact,
    orders: orders.map(deskRowOf),
    people: [],
    claims,
    more: { orders: false, people: false },
  },
})
const search = 'POST /api/desk/search'

describe('search', () => {
  it('opens with a key, by its place; what is typed is sent in the body and is in no address', async () => {
    const { person, calls, where } = open('/session', { [search]: found([]) })
    await screen.findByRole('heading', { name: 'My session' })
    act(
      () =>
        void document.body.dispatchEvent(
          new KeyboardEvent('keydown', { code: 'Slash', key: 'ظ', bubbles: true }),
        ),
    )
    const field = await screen.findByRole('textbox', { name: 'Search for an order or a person' })
    await waitFor(() => expect(document.activeElement).toBe(field))
    await person.keyboard('5604{Enter}')
    await screen.findByText('Nothing for “5604”. Try the whole phone or the airway bill.')
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ q: '5604' })
    expect(where()).toBe('/search')
  })

  it('loses nothing of what is typed before its page is there', async () => {
    const { calls } = open('/session', { [search]: found([]) })
    await screen.findByRole('heading', { name: 'My session' })
    act(() => {
      for (const key of ['/', '5', '6', 'x', 'Backspace', '0', '4', 'Enter'])
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { code: key === '/' ? 'Slash' : '', key, bubbles: true }),
        )
    })
    await screen.findByText('Nothing for “5604”. Try the whole phone or the airway bill.')
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ q: '5604' })
  })

  it('keeps what was typed until it was answered', async () => {
    const { person } = open('/search', { [search]: problem(429, 'TOO_MANY_CALLS', 'Too many.') })
    await person.type(
      await screen.findByRole('textbox', { name: 'Search for an order or a person' }),
      'fat{Enter}',
    )
    expect((await screen.findByRole('alert')).textContent).toContain('Too many.')
    expect(window.sessionStorage.getItem('deskDrafts')).toContain('fat')
  })

  it('goes straight to the one order that a number means, and back shows the search again, once', async () => {
    const { person, where, goBack } = open('/session', { [search]: found([5604], 5604), ...readOrder(5604) })
    await person.click(await screen.findByRole('link', { name: /^Order, claim/ }))
    await person.type(
      await screen.findByRole('textbox', { name: 'Search for an order or a person' }),
      'OD-5604{Enter}',
    )
    await screen.findByRole('heading', { name: 'OD-5604' })
    expect(where()).toBe('/orders/5604')
    expect(window.sessionStorage.getItem('deskDrafts')).toBeNull()
    act(goBack)
    await screen.findByRole('table', { name: 'Orders (1)' })
    expect(where()).toBe('/search')
    act(goBack)
    expect(where()).toBe('/session')
  })

  it('opens the page of a claim that is all that was found, and lists it beside others', async () => {
    const claim = { claimId: 7, number: 'CL-7', orderId: 5604, kind: 'damaged', state: 'OPEN' }
    const { person, where, goBack } = open('/search', { [search]: found([], null, [claim]) })
    const field = await screen.findByRole('textbox', { name: 'Search for an order or a person' })
    await person.type(field, 'CL-7{Enter}')
    await waitFor(() => expect(where()).toBe('/claims/7'))
    act(goBack)
    const table = await screen.findByRole('table', { name: 'Claims (1)' })
    expect(within(table).getByRole('link', { name: 'CL-7' })).toBeDefined()
    expect(where()).toBe('/search')
  })

  it('shows people and orders masked, and J and Enter open a row', async () => {
    const { person, where } = open('/search', { [search]: found([5604, 5605]), ...readOrder(5605) })
    await person.type(
      await screen.findByRole('textbox', { name: 'Search for an order or a person' }),
      '4678{Enter}',
    )
    expect(within(await screen.findByRole('table')).getAllByText('+966 ••••• 4678')).toHaveLength(2)
    act(() => (document.activeElement as HTMLElement).blur())
    await person.keyboard('jj{Enter}')
    await screen.findByRole('heading', { name: 'OD-5605' })
    expect(where()).toBe('/orders/5605')
  })
})

it('a search that finds people alone has J and K, too', async () => {
  const people = [7, 8].map((userId) => ({
    userId,
    name: `Person ${userId}`,
    phone: '+966 ••••• 4678',
    createdAt: '2027-05-14T17:06:00.000Z',
  }))
  const answer = found([])
  const { person } = open('/search', { [search]: { body: { ...answer.body, people } } })
  await person.type(await screen.findByRole('textbox'), '4678{Enter}')
  await screen.findByRole('link', { name: 'Person 8' })
  act(() => (document.activeElement as HTMLElement).blur())
  await person.keyboard('jj')
  expect(document.activeElement?.textContent).toBe('Person 8')
})

describe('the list of orders', () => {
  const list = 'GET /api/desk/orders'
  const answer = { body: { success: true, orders: [deskRowOf(5604)], nextCursor: '9-9' } }

  it('has its filters in the address, and a file for those who may', async () => {
    const { calls, person, where } = open(
      '/orders?city=Riyadh&cursor=1-1',
      { [list]: answer },
      { roles: ['money'] },
    )
    await screen.findByRole('link', { name: 'OD-5604' })
    expect(calls.find(({ path }) => path === '/api/desk/orders')?.query).toEqual({
      city: 'Riyadh',
      cursor: '1-1',
    })
    expect(screen.getByRole('link', { name: 'CSV file' }).getAttribute('href')).toBe(
      '/api/desk/orders?city=Riyadh&format=csv',
    )
    await person.click(screen.getByRole('combobox', { name: 'Order' }))
    await person.click(await screen.findByTitle('Paid'))
    expect(where()).toBe('/orders?city=Riyadh&status=PAID')
    await screen.findByRole('link', { name: 'Older orders' })
  })

  it.each([
    ['en', 'CSV file', 'Too many files. Try again in 3 hours.'],
    ['ar', 'ملف CSV', 'ملفات كثيرة. أعد المحاولة بعد 3 ساعات.'],
  ] as const)('says on the page in %s why there is no file', async (language, name, text) => {
    const lists = vi.fn((query: Readonly<Record<string, string>>) =>
      query.format === 'csv' ? problem(429, 'TOO_MANY_CALLS', text) : answer,
    )
    const { person } = open(
      '/orders',
      { [list]: ({ query }) => lists(query) },
      { language, roles: ['money'] },
    )
    await person.click(await screen.findByRole('link', { name }))
    expect((await screen.findByRole('alert')).textContent).toContain(text)
    expect(lists).toHaveBeenLastCalledWith({ format: 'csv' })
  })

  it('has no file for support, and says when it could not be loaded', async () => {
    const { person } = open('/orders', { [list]: () => undefined }, { language: 'ar' })
    expect((await screen.findByRole('alert')).textContent).toContain('تعذّر عرض القائمة.')
    expect(screen.queryByRole('link', { name: 'ملف CSV' })).toBeNull()
    await person.click(screen.getByRole('button', { name: 'إعادة المحاولة' }))
    await screen.findByRole('alert')
  })
})

describe('an order', () => {
  it.each(['OD-5604', '222735133983'])(
    'at the address of %s is led on to its own, where news of it arrive',
    async (ref) => {
      const { where } = open(`/orders/${ref}?act=note`, {
        ...readOrder(5604),
        [`GET /api/desk/orders/${ref}`]: { body: { success: true, order: deskOrderOf(5604) } },
      })
      await screen.findByRole('heading', { name: 'OD-5604' })
      expect(where()).toBe('/orders/5604?act=note')
    },
  )

  it('says what is true, folds what machines said, and filters by part', async () => {
    vi.setSystemTime(new Date('2027-05-19T11:22:00.000Z'))
    const { person } = open('/orders/5604', readOrder(5604))
    await screen.findByText('Silent for 52 hours')
    expect(screen.queryByText('Callback about 1: declined')).toBeNull()
    await person.click(screen.getByRole('button', { name: 'show' }))
    expect(screen.getByText('Callback about 1: declined')).toBeTruthy()
    expect(screen.getByRole('heading', { name: /^Today, Wednesday 19\sMay$/ })).toBeTruthy()
    await person.click(screen.getByText('Money 3'))
    expect(screen.queryByText('Looked at name and phone')).toBeNull()
    expect(screen.getByText('Paid SAR 50.00')).toBeTruthy()
    vi.useRealTimers()
  })

  it.each([
    [
      'en',
      'The bag has been at the branch \u2068Yasmin, Riyadh\u2069 since yesterday, 23:01, and has not been collected.',
    ],
    ['ar', 'الحقيبة في فرع \u2068Yasmin، الرياض\u2069 منذ أمس، 11:01 م، ولم تُستلم.'],
  ] as const)(
    'begins with a sentence that can be read out to the caller, in %s',
    async (language, sentence) => {
      vi.setSystemTime(new Date('2027-05-19T11:22:00.000Z'))
      const order = deskOrderOf(5604)
      const bookings = order.bookings.map((bag) => ({
        ...bag,
        state: 'AT_BRANCH',
        lastEventAt: '2027-05-18T20:01:00.000Z',
      }))
      open(
        '/orders/5604',
        { 'GET /api/desk/orders/5604': { body: { success: true, order: { ...order, bookings } } } },
        { language },
      )
      expect(await screen.findByText(sentence)).toBeTruthy()
      vi.useRealTimers()
    },
  )

  it('names a scan in the reader’s language; the words of the shipping partner are one press away, and beside what holds a bag up', async () => {
    const by = { kind: 'courier' }
    const scan = (at: string, text: string, data: object) => ({ kind: 'scan', at, text, data, by })
    const timeline = [
      scan('2027-05-17T07:22:00.000Z', 'On the way, Jeddah', { scan: 'in-transit', words: 'Left the hub' }),
      scan('2027-05-17T02:10:00.000Z', 'Held up, Jeddah', { scan: 'exception', words: 'Address unknown' }),
    ]
    const { person } = open('/orders/5604', {
      'GET /api/desk/orders/5604': { body: { success: true, order: { ...deskOrderOf(5604), timeline } } },
    })
    await screen.findByText('Address unknown')
    expect(screen.queryByText('Left the hub')).toBeNull()
    await person.click(screen.getByRole('button', { name: 'On the way, Jeddah' }))
    await screen.findByText('Left the hub')
  })

  it('says in its head what is next and by when, of each of its bags, and fills one button', async () => {
    vi.setSystemTime(new Date('2027-05-17T11:22:00.000Z'))
    const order = deskOrderOf(5604)
    const [bag] = order.bookings
    const stopped = {
      ...bag,
      reference: 'S-2',
      awb: null,
      state: 'AWAITING_LABEL',
      newsBy: null,
      stoppedAt: '2027-05-17T08:00:00Z',
    }
    const row = {
      id: '1',
      orderId: 5604,
      text: 'Airway bill stopped',
      taken: null,
      dueAt: '2027-05-26T21:00:00Z',
    }
    const read = (ofOrder: object[]) => ({
      'GET /api/desk/orders/5604': { body: { success: true, order: { ...order, bookings: [bag, stopped] } } },
      'GET /api/desk/work': { body: { success: true, lists: [], mine: [], colleagues: [], ofOrder } },
    })
    const labels = { ...row, kind: 'labels' }
    const first = open('/orders/5604', read([labels]), { roles: ['lead'] })
    await screen.findByText(
      'Next: Arrival at the branch and Its airway bill · Airway bill passed: 14 May, 20:26',
    )
    await first.person.click(await screen.findByRole('button', { name: 'Make the airway bill again…' }))
    expect(first.where()).toBe('/orders/5604?act=reissue')
    cleanup()
    open('/orders/5604', read([labels, { ...row, kind: 'claims', id: '118' }]), { roles: ['lead'] })
    const answerClaim = await screen.findByRole('button', { name: 'Answer claim CL-118' })
    expect(answerClaim.className).toContain('primary')
    expect(screen.queryByRole('button', { name: 'Make the airway bill again…' })).toBeNull()
    await screen.findByText('by 26 May')
    vi.useRealTimers()
  })

  it('without its airway bill says why, and by when; what was paid twice says what goes back', async () => {
    vi.setSystemTime(new Date('2027-05-14T17:40:00.000Z'))
    const order = deskOrderOf(5604)
    const lastError = 'the shipping partner refused the shipment with 400: ConsigneeAddress.City'
    const bookings = order.bookings.map((bag) => ({
      ...bag,
      awb: null,
      state: 'AWAITING_LABEL',
      tries: 0,
      newsBy: null,
      lastError,
    }))
    const money = { amountHalalas: 5_000, currency: 'SAR' }
    const events = ['1', '2'].map((transactionId) => ({
      transactionId,
      kind: 'succeeded',
      source: 'callback',
      receivedAt: order.paidAt,
      ...money,
      outcome: transactionId === '1' ? 'applied' : 'second-payment',
    }))
    const refund = { transactionId: '2', state: 'asked', reason: 'second-payment', amountHalalas: 5_000 }
    const payments = [
      {
        reference: 'OD5604-1',
        state: 'succeeded',
        startedAt: order.createdAt,
        ...money,
        events,
        refunds: [{ ...refund, orderedAt: order.paidAt, doneAt: null }],
      },
    ]
    open('/orders/5604', {
      'GET /api/desk/orders/5604': {
        body: { success: true, order: { ...order, bookings, payments, timeline: [] } },
      },
    })
    expect((await screen.findByText('Last error')).nextSibling?.textContent).toBe(lastError)
    expect(screen.getByText('No airway bill yet')).toBeTruthy()
    expect(screen.getByText('passed: 14 May, 20:26')).toBeTruthy()
    expect(screen.getByText('On its way back SAR 50.00')).toBeTruthy()
    expect(screen.getByText('Payments').closest('tr')?.previousSibling?.textContent).toBe(
      'PaidSAR\u00a0100.00',
    )
    vi.useRealTimers()
  })

  it('is read again when a person comes back to it', async () => {
    const { person, calls, goBack } = open('/orders/5604', readOrder(5604))
    const reads = () => calls.filter(({ path }) => path === '/api/desk/orders/5604').length
    await screen.findByRole('button', { name: 'Actions' })
    await person.click(screen.getByRole('link', { name: /^Order, claim/ }))
    await screen.findByRole('heading', { name: 'Search' })
    const before = reads()
    act(goBack)
    await screen.findByRole('button', { name: 'Actions' })
    await waitFor(() => expect(reads()).toBeGreaterThan(before))
  })

  it('says why it stands in each list, why its airway bill failed, and who did what in which role', async () => {
    const order = deskOrderOf(5604)
    const failed = { awb: null, labelState: 'waiting', lastError: 'no answer' }
    const sara = { kind: 'staff', name: 'Sara', roles: ['support', 'lead'] }
    open('/orders/5604', {
      'GET /api/desk/orders/5604': {
        body: {
          success: true,
          order: {
            ...order,
            bookings: order.bookings.map((booking) => ({ ...booking, ...failed })),
            timeline: [{ kind: 'note', at: '2027-05-19T11:10:00.000Z', text: 'Note: x', data: {}, by: sara }],
          },
        },
      },
      'GET /api/desk/work': {
        body: {
          success: true,
          mine: [],
          colleagues: [],
          lists: [],
          ofOrder: [
            {
              kind: 'payments',
              id: '1',
              reason: 'hidden',
              orderId: 5604,
              awb: null,
              city: null,
              since: order.paidAt,
              dueAt: order.paidAt,
              lastNews: null,
              data: {},
              taken: null,
              text: 'SAR 30.00 was not reported',
            },
          ],
        },
      },
    })
    await screen.findByText('SAR 30.00 was not reported')
    expect(screen.getByText('no answer')).toBeTruthy()
    expect(screen.getByText('\u2068Sara\u2069 · Support · Lead')).toBeTruthy()
  })

  it('shows its owner for a reason, and no longer than a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const path = 'POST /api/desk/orders/5604/reveal'
    const people = { name: 'فاطمة أحمد', phone: '+966512344678', receiver: null, secondPhone: null }
    const { person, calls } = open('/orders/5604', {
      ...readOrder(5604),
      [path]: { body: { success: true, ...people } },
    })
    await person.click(await screen.findByRole('button', { name: /Show$/ }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('button', { name: 'Show' }))
    await dialog.findByText('This field is required.')
    await person.click(dialog.getByRole('radio', { name: 'Other' }))
    await person.type(dialog.getByRole('textbox'), 'a long story')
    await person.click(dialog.getByRole('button', { name: 'Show' }))
    await screen.findByText('+966512344678')
    expect(calls.at(-1)?.body).toEqual({ reason: 'other', text: 'a long story' })
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    write.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    await person.click(screen.getByRole('button', { name: 'Copy' }))
    await screen.findByText('Copying did not work. Select the text instead.')
    await person.click(screen.getByRole('button', { name: 'Copy' }))
    await screen.findByRole('button', { name: 'Copied' })
    expect(write).toHaveBeenLastCalledWith('+966512344678')
    expect(window.sessionStorage.getItem('deskDrafts')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    await waitFor(() => expect(screen.queryByText('+966512344678')).toBeNull())
    vi.useRealTimers()
  })

  it('that does not exist says so, and leads to the search', async () => {
    open('/orders/1', { 'GET /api/desk/orders/1': problem(404, 'ORDER_NOT_FOUND', 'No such order.') })
    await screen.findByRole('heading', { name: 'No order has this number' })
    expect(screen.getByRole('link', { name: 'To the search' }).getAttribute('href')).toBe('/search')
  })
})

describe('the picture of a hand-over', () => {
  it('is asked for only when it is wanted, and one that is gone is said to be', async () => {
    const order = deskOrderOf(5604)
    const [bag] = order.bookings
    const photo = { takenAt: '2027-05-14T17:06:00.000Z' }
    const awb = '231200021879'
    const shown = {
      ...order,
      bookings: [
        { ...bag, awb, photo },
        { ...bag, reference: 'AM-2' },
      ],
    }
    const { person } = open('/orders/5604', {
      'GET /api/desk/orders/5604': { body: { success: true, order: shown } },
    })
    const button = await screen.findByRole('button', { name: 'Picture at the hand-over' })
    expect(document.querySelector('img[src*=photo]')).toBeNull()
    await person.click(button)
    const picture = screen.getByRole('img', { name: 'The bag when it was handed over' })
    expect(picture.getAttribute('src')).toBe(`/api/desk/orders/5604/bookings/${awb}/photo`)
    fireEvent.error(picture)
    expect(screen.getByRole('alert').textContent).toBe('The picture could not be shown.')
  })
})
