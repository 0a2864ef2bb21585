// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readStored } from '#client/platform/browser-storage.ts'
import { formatWeekdayAndDayInBoth } from '#client/platform/dates.ts'
import type { Claim, ClaimOffer } from '#shared/claims/claims.schemas.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { pages } from '#shared/platform/pages.ts'
import { bookingOf, orderOf, refunded } from '#test/builders/answer.builder.ts'
import { minute } from '#test/kit/basics/clock.ts'
import { stubDrawing } from '#test/kit/client/drawing.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import { plainText, reading } from '#test/kit/client/plain-text.ts'
import { problem, renderPage, type StubbedRoute, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { ClaimsPage } from './claims.page.tsx'
import { OrderClaims } from './order-claims.tsx'

const t = (key: string, values?: Record<string, unknown>) => textOf('claims', key, values)
const day = formatWeekdayAndDayInBoth('2027-05-26', 'en')
const text = 'A wheel of my bag is broken.'
const offer: ClaimOffer = {
  answerBy: '2027-05-26',
  bags: [{ awb: '290012345678', kinds: ['damaged', 'other'] }],
}

const claimOf = (change: Partial<Claim> = {}): Claim => ({
  claimId: 118,
  number: 'CL-118',
  kind: 'damaged',
  state: 'OPEN',
  answerBy: '2027-05-26',
  photos: [],
  openedAt: '2027-05-19T09:00:00.000Z',
  messages: [{ at: '2027-05-19T09:00:00.000Z', from: 'you', text }],
  ...change,
})
const listed = (claims: readonly Claim[], offered = offer) => ({
  body: { success: true, claims, offer: offered },
})
const answered = (claim: Claim) => ({ body: { success: true, claim } })
const order = orderOf({ bookings: [bookingOf({ awb: '290012345678' })] })

const page = (
  <Routes>
    <Route path={pages.claims} element={<ClaimsPage />} />
  </Routes>
)

function open(routes: Readonly<Record<string, StubbedRoute>>, address: { readonly at?: string } = {}) {
  const calls = stubGateway({
    'GET /api/orders/42': { body: { success: true, order } },
    'GET /api/auth/user': { body: { success: true, userId: 1, name: 'Maryam', phone: null, messages: true } },
    ...routes,
  })
  return { calls, ...renderPage(page, { at: '/order-claims/42', ...address }) }
}
const list = 'GET /api/orders/42/claims'
const openCall = 'POST /api/orders/42/claims'
const sent = (calls: ReturnType<typeof stubGateway>) =>
  calls.filter(({ method, path }) => `${method} ${path}` === openCall)
const sendButton = () => screen.getByRole('button', { name: t('send') })
const field = () => screen.getByLabelText(t('text.label'))

const write = (into: HTMLElement, value: string) => fireEvent.change(into, { target: { value } })

async function fill(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: t('kinds.damaged') }))
  write(field(), text)
}

beforeEach(() => {
  window.sessionStorage.clear()
  vi.unstubAllGlobals()
})

describe('the form', () => {
  it('sends what is chosen and written, once, and shows its number and day', async () => {
    const { calls } = open({ [list]: listed([]), [openCall]: answered(claimOf()) })
    await fill()
    expect(screen.getByText(reading(t('next.by', { day })))).toBeTruthy()
    await userEvent.dblClick(sendButton())
    expect(await screen.findByText(t('opened', { number: 'CL-118' }))).toBeTruthy()
    expect(screen.getByText(reading(t('status.open', { day })))).toBeTruthy()
    expect(sent(calls)).toHaveLength(1)
    expect(sent(calls)[0]).toMatchObject({
      body: { kind: 'damaged', text },
      headers: { 'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/) },
    })
    expect(readStored('drafts')).toBeUndefined()
  })

  it.each([
    ['shows the picture of the hand-over beside the new ones', { takenAt: '2027-05-18T12:30:00.000Z' }, 1],
    ['has no place for a picture that was not taken', undefined, 0],
  ])('%s', async (_, photo, count) => {
    const bookings = [bookingOf({ awb: '290012345678', ...(photo && { photo }) })]
    open({
      [list]: listed([]),
      'GET /api/orders/42': { body: { success: true, order: orderOf({ bookings }) } },
    })
    await screen.findByText(t('bag', { city: 'Riyadh' }))
    const pictures = screen.queryAllByRole('img', { name: t('photos.before') })
    expect(pictures.map((picture) => picture.getAttribute('src'))).toEqual(
      Array(count).fill('/api/orders/42/bookings/290012345678/photo'),
    )
    expect(screen.queryByText(t('photos.atHandover')) !== null).toBe(count === 1)
  })

  it('says at the field what is missing, and offers only what the server offers', async () => {
    const { calls } = open({ [list]: listed([]) })
    await userEvent.click(await screen.findByRole('button', { name: t('send') }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: t('kinds.damaged') }))
    expect(screen.getByText(t('kind.missing'))).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('kinds.late') })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: t('kinds.other') }))
    write(field(), 'Too short')
    await userEvent.click(sendButton())
    expect(document.activeElement).toBe(field())
    expect(screen.getByText(t('text.short'))).toBeTruthy()
    expect(sent(calls)).toEqual([])
  })

  it('keeps what was written without a network and over a reload, and is the same request then', async () => {
    let isOnline = false
    const routes = {
      [list]: listed([]),
      [openCall]: () => (isOnline ? answered(claimOf()) : undefined),
    }
    const { calls, unmount } = open(routes)
    await fill()
    await userEvent.click(sendButton())
    expect(await screen.findByText(t('kept'))).toBeTruthy()
    unmount()
    isOnline = true
    const again = open(routes)
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(t('text.label')).value).toBe(text))
    await userEvent.click(sendButton())
    expect(await screen.findByText(t('opened', { number: 'CL-118' }))).toBeTruthy()
    const keys = [...sent(calls), ...sent(again.calls)].map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('shows a refusal, and another text is another request', async () => {
    const { calls } = open({ [list]: listed([]), [openCall]: problem(409, 'CLAIM_OPEN', 'You have CL-7.') })
    await fill()
    await userEvent.click(sendButton())
    expect(await screen.findByText('You have CL-7.')).toBeTruthy()
    expect(screen.queryByText(t('kept'))).toBeNull()
    write(field(), `${text} Both.`)
    expect(screen.queryByText('You have CL-7.')).toBeNull()
    await userEvent.click(sendButton())
    expect(new Set(sent(calls).map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })

  const bags = [
    { awb: '290012345678', kinds: ['other' as const] },
    { awb: '290012345679', kinds: ['late' as const, 'other' as const] },
  ]
  const askedFor = { at: '/order-claims/42?kind=late&bag=1' }
  const chosen = () => screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)

  it('begins with the problem and the bag that led to it, also beside other claims', async () => {
    open({ [list]: listed([claimOf({ awb: '290012345678', kind: 'late' })], { ...offer, bags }) }, askedFor)
    await screen.findByText(t('kind.title'))
    expect(chosen()).toEqual([t('bagOf', { number: 2, total: 2 }), t('kinds.late')])
  })

  it('shows the claim where that was reported', async () => {
    open({ [list]: listed([claimOf({ awb: '290012345679', kind: 'late' })], { ...offer, bags }) }, askedFor)
    expect(await screen.findByRole('heading', { level: 1, name: t('list') })).toBeTruthy()
  })

  it('chooses nothing for an address that names no kind and no bag of it', async () => {
    open({ [list]: listed([]) }, { at: '/order-claims/42?kind=wet&bag=7' })
    await screen.findByText(t('kind.title'))
    expect(screen.queryAllByRole('button', { pressed: true })).toEqual([])
  })

  it.each([
    ['that is named where there are two', ['other' as const]],
    ['that was handed over, where the other one was not', []],
  ])('is about the bag %s', async (_, first) => {
    const bags = [
      { awb: '290012345678', kinds: first },
      { awb: '290012345679', kinds: ['lost' as const] },
    ]
    const { calls } = open({ [list]: listed([], { ...offer, bags }), [openCall]: answered(claimOf()) })
    const isAsked = first.length > 0
    await screen.findByRole('button', { name: t('send') })
    if (isAsked)
      await userEvent.click(screen.getByRole('button', { name: t('bagOf', { number: 2, total: 2 }) }))
    await userEvent.click(screen.getByRole('button', { name: t('kinds.lost') }))
    expect(screen.queryByText(t('which')) !== null).toBe(isAsked)
    write(field(), text)
    await userEvent.click(sendButton())
    await screen.findByText(t('opened', { number: 'CL-118' }))
    expect(sent(calls)[0]?.body).toEqual({ kind: 'lost', text, awb: '290012345679' })
  })

  it('promises a message only to those who get messages', async () => {
    open({
      [list]: listed([]),
      'GET /api/auth/user': { body: { success: true, userId: 1, name: 'Maryam', phone: null } },
    })
    expect(await screen.findByText(t('next.nowShown'), { exact: false })).toBeTruthy()
    expect(screen.queryByText(t('next.nowTold'), { exact: false })).toBeNull()
  })
})

describe('photographs', () => {
  const choose = (file = new File(['x'], 'bag.heic', { type: 'image/heic' })) =>
    userEvent.upload(screen.getByLabelText(t('photos.add'), { exact: false }), file)

  const exif = Buffer.from('\xff\xe1\0\x08Exif\0\0', 'latin1')

  it('are sent after the report, without what the browser writes beside them, and small enough', async () => {
    const { calls } = open({
      [list]: listed([]),
      [openCall]: answered(claimOf()),
      'PUT /api/claims/118/photos/1': answered(claimOf({ photos: [1] })),
    })
    await fill()
    stubDrawing(photoOf(600_000), photoOf(300, exif))
    const bytes: unknown[] = []
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init: RequestInit = {}) => {
      if (init.method === 'PUT') bytes.push(init.body, new Headers(init.headers).get('content-type'))
      return fetch(input, init)
    })
    await choose()
    expect(await screen.findByAltText(t('photos.photo', { number: 1 }))).toBeTruthy()
    await userEvent.click(sendButton())
    await screen.findByText(t('opened', { number: 'CL-118' }))
    expect(Buffer.from(bytes[0] as Uint8Array).equals(photoOf(300 - exif.length))).toBe(true)
    expect(bytes[1]).toBe('image/jpeg')
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toContain('PUT /api/claims/118/photos/1')
  })

  it('that this browser cannot show are refused at once, and can be left out', async () => {
    open({ [list]: listed([]) })
    await fill()
    await choose()
    expect(await screen.findByText(t('photos.refused'))).toBeTruthy()
    stubDrawing(photoOf())
    await choose()
    await userEvent.click(await screen.findByRole('button', { name: t('photos.remove', { number: 1 }) }))
    expect(screen.queryByAltText(t('photos.photo', { number: 1 }))).toBeNull()
  })

  it('that do not arrive leave the claim open, and are added there', async () => {
    let isLost = true
    open({
      [list]: listed([]),
      [openCall]: answered(claimOf()),
      'PUT /api/claims/118/photos/1': () => (isLost ? undefined : answered(claimOf({ photos: [1] }))),
    })
    await fill()
    stubDrawing(photoOf())
    await choose()
    await screen.findByAltText(t('photos.photo', { number: 1 }))
    await userEvent.click(sendButton())
    expect(await screen.findByText(t('openedWithoutPhoto', { number: 'CL-118' }))).toBeTruthy()
    isLost = false
    await choose()
    const picture = await screen.findByAltText(t('photos.photo', { number: 1 }))
    expect(picture.getAttribute('src')).toBe('/api/claims/118/photos/1')
  })
})

describe('a claim', () => {
  const us = (said: string, isQuestion?: true) =>
    ({ at: '2027-05-20T09:00:00.000Z', from: 'us', text: said, ...(isQuestion && { isQuestion }) }) as const
  const [first] = claimOf().messages
  const closed = { state: 'CLOSED', outcome: 'refused', reopensUntil: '2099-01-01T00:00:00.000Z' } as const

  it.each<[string, Partial<Claim>, string]>([
    ['waits for us', {}, 'status.open'],
    ['waits for us too long', { isLate: true }, 'status.late'],
    ['waits for its owner', { state: 'ANSWERED', messages: [us('Which?', true)] }, 'status.question'],
    ['… as a question', { state: 'ANSWERED', messages: [us('Which?', true)] }, 'state.question'],
    ['is answered', { state: 'ANSWERED', messages: [us('Which?', true), us('Here.')] }, 'status.answered'],
    ['is closed', closed, 'outcome.refused'],
    [
      'is compensated, with how much',
      { ...closed, outcome: 'compensated', compensation: { halalas: 4_000, reference: 'TR-1' } },
      'status.compensation',
    ],
  ])('that %s says so', async (_, change, said) => {
    open({ [list]: listed([claimOf(change)]) })
    const claim = await screen.findByRole('article')
    expect(plainText(claim.textContent)).toContain(plainText(t(said, { day })))
    // The authority is named only after a deadline of ours has passed.
    expect(within(claim).queryByText('19929') !== null).toBe(change.isLate === true)
  })

  it('is written to, and what was written stays until it has arrived', async () => {
    let isOnline = false
    const { calls } = open({
      [list]: listed([claimOf({ state: 'ANSWERED', messages: [us('Which wheel?', true)] })]),
      'POST /api/claims/118/messages': () =>
        isOnline
          ? answered(claimOf({ messages: [{ at: first?.at ?? '', from: 'you', text: 'Left.' }] }))
          : undefined,
    })
    const reply = await screen.findByLabelText<HTMLTextAreaElement>(t('reply.label'))
    await userEvent.click(screen.getByRole('button', { name: t('reply.send') }))
    expect(screen.getByText(t('reply.empty'))).toBeTruthy()
    expect(document.activeElement).toBe(reply)
    write(reply, 'Left.')
    expect(screen.queryByText(t('reply.empty'))).toBeNull()
    const send = screen.getByRole('button', { name: t('reply.send') })
    fireEvent.click(send)
    fireEvent.click(send)
    expect(await screen.findByText(t('kept'))).toBeTruthy()
    expect(calls.filter(({ path }) => path.endsWith('/messages'))).toHaveLength(1)
    expect(reply.value).toBe('Left.')
    isOnline = true
    await userEvent.click(screen.getByRole('button', { name: t('reply.send') }))
    expect(await screen.findByText(reading(t('status.open', { day })))).toBeTruthy()
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(t('reply.label')).value).toBe(''))
    expect(calls.findLast(({ path }) => path.endsWith('/messages'))?.body).toEqual({ text: 'Left.' })
  })

  it('is read again each minute until it is closed', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    let claim = claimOf()
    const { calls } = open({ [list]: () => listed([claim]) })
    const readings = () => calls.filter(({ method, path }) => `${method} ${path}` === list).length
    await pass(500)
    const first = readings()
    claim = claimOf(closed)
    await pass(minute)
    expect(readings() - first).toBe(1)
    await pass(3 * minute)
    expect(readings() - first).toBe(1)
  })

  it('that is closed can be doubted for a time, and not longer', async () => {
    open({
      [list]: listed([
        claimOf(closed),
        claimOf({ ...closed, claimId: 7, number: 'CL-7', reopensUntil: '2020-01-01T00:00:00.000Z' }),
      ]),
      'POST /api/claims/118/messages': answered(claimOf()),
    })
    await userEvent.click(await screen.findByRole('button', { name: t('disagree') }))
    write(screen.getByLabelText(t('reply.why')), 'It was not my fault.')
    await userEvent.click(screen.getByRole('button', { name: t('reply.send') }))
    expect(await screen.findByText(reading(t('status.open', { day })))).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('disagree') })).toBeNull()
  })

  it('is withdrawn after a question, whose first answer keeps it', async () => {
    const { calls } = open({
      [list]: listed([claimOf()]),
      'POST /api/claims/118/withdraw': answered(claimOf({ ...closed, outcome: 'withdrawn' })),
    })
    await userEvent.click(await screen.findByRole('button', { name: t('withdraw.open') }))
    const keep = await screen.findByRole('button', { name: t('withdraw.keep') })
    expect(document.activeElement).toBe(keep)
    await userEvent.click(keep)
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: t('withdraw.open') }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: t('withdraw.confirm') }))
    expect(await screen.findByText(t('outcome.withdrawn'))).toBeTruthy()
    // The button to reopen does not mention a disagreement, because the owner withdrew the claim.
    await userEvent.click(screen.getByRole('button', { name: t('reopen') }))
    expect(screen.getByLabelText(t('reply.label'))).toBeTruthy()
  })

  it('stands beside another one, which is reported from here', async () => {
    open({ [list]: listed([claimOf()]) })
    await userEvent.click(await screen.findByRole('button', { name: t('another') }))
    expect(await screen.findByRole('heading', { level: 1, name: t('title') })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: t('toList') }))
    expect(await screen.findByRole('article')).toBeTruthy()
  })
})

describe('the list', () => {
  it('that cannot be loaded says so, and is asked for again', async () => {
    let isOnline = false
    open({ [list]: () => (isOnline ? listed([claimOf()]) : undefined) })
    expect(await screen.findByText(t('loadFailed'))).toBeTruthy()
    isOnline = true
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    expect(await screen.findByRole('article')).toBeTruthy()
  })

  it('of an order that was never paid has nothing to report', async () => {
    open({ [list]: listed([], { answerBy: '2027-05-26', bags: [{ kinds: [] }] }) })
    expect(await screen.findByText(t('notOffered'))).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('send') })).toBeNull()
  })
})

describe('on the page of an order', () => {
  const show = (shown: Order, claims: readonly Claim[] = []) => {
    const calls = stubGateway({ [list]: listed(claims) })
    renderPage(<OrderClaims order={shown} />)
    return calls
  }

  it('one whose bag was handed over leads to the report, and shows what is said of its claims', async () => {
    show({ ...order, bookings: order.bookings.map((bag) => ({ ...bag, state: 'AT_BRANCH' as const })) }, [
      claimOf(),
    ])
    expect(await screen.findByText(reading(t('status.open', { day })))).toBeTruthy()
    for (const link of screen.getAllByRole('link')) expect(link.getAttribute('href')).toBe('/order-claims/42')
    expect(screen.getByRole('link', { name: t('another') }).dataset.look).toBe('quiet')
  })

  it('offers it plainly where a scan says that something is wrong', async () => {
    show({ ...order, bookings: order.bookings.map((bag) => ({ ...bag, state: 'EXCEPTION' as const })) })
    expect((await screen.findByRole('link', { name: t('title') })).dataset.look).toBeUndefined()
  })

  it('goes on where the money went back while the bag travelled', async () => {
    show({
      ...refunded(order),
      bookings: order.bookings.map((bag) => ({ ...bag, state: 'IN_TRANSIT' as const })),
    })
    expect(await screen.findByRole('link', { name: t('title') })).toBeTruthy()
  })

  it.each(['REFUNDED', 'CANCELLED'] as const)(
    '%s keeps what was claimed, and offers no more',
    async (status) => {
      show({ ...refunded(order), status }, [claimOf({ state: 'CLOSED', outcome: 'found' })])
      expect(await screen.findByText('CL-118')).toBeTruthy()
      expect(screen.getAllByRole('link')).toHaveLength(1)
    },
  )

  it('one that is not paid has none, and asks for none', () => {
    const calls = show({ ...order, status: 'PENDING_PAYMENT' })
    expect(screen.queryByRole('link')).toBeNull()
    expect(calls).toEqual([])
  })
})
