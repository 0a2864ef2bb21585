// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDocument } from '#client/platform/document.ts'
import { problem, renderRoom, stubGateway, textOf } from '#test/kit/room.tsx'
import { ThankYouPage } from './thank-you.page.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  openDocument: vi.fn(),
}))

const at = '/thank-you?success=true&merchant_order_id=OD-42-1'
const t = (key: string, values?: Record<string, unknown>) => textOf('payment', `thankYou.${key}`, values)

const origin = {
  name: 'Agent A1',
  address: 'Jamarat side',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: { latitude: 21.4, longitude: 39.9 },
}
const destination = { addressAR: 'الملز', addressEN: 'Malaz', city: 'Riyadh', coordinates: null }

function orderWith(status: string, ...awbs: (string | null)[]) {
  const order = {
    orderId: 42,
    status,
    ...(status === 'PAID' ? { transactionId: '990011' } : {}),
    type: 'FROM_MINA',
    creationDate: '2027-05-18T12:30:00.000Z',
    bookings: awbs.map((awb) => ({ awb, origin, destination })),
  }
  return { body: { success: true, order } }
}

function thankYou(
  callbacks: {
    onPaid?: (orderId: number) => void
    onClose?: () => void
    onBookAgain?: (order: { orderId: number; status: string }) => void
  } = {},
) {
  return <ThankYouPage onPaid={() => {}} onClose={() => {}} onBookAgain={() => {}} {...callbacks} />
}

beforeEach(() => {
  vi.mocked(openDocument).mockReset()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a failure', () => {
  it.each(['', '?success=true', '?success=false', '?merchant_order_id='])(
    'is shown without asking the server when no order is named: %j',
    (query) => {
      const calls = stubGateway({})
      renderRoom(thankYou(), { at: `/thank-you${query}` })
      const alert = screen.getByRole('alert')
      expect(within(alert).getByRole('heading', { name: 'Payment Failed' })).toBeTruthy()
      expect(alert.textContent).toContain('Your payment did not go through')
      expect(screen.getByRole('link').getAttribute('href')).toBe('/booking')
      expect(screen.queryByRole('button')).toBeNull()
      expect(calls).toEqual([])
    },
  )

  it('offers to pay again for an order that is still open', async () => {
    const calls = stubGateway({
      'GET /api/orders/42': orderWith('PENDING_PAYMENT', null),
      'POST /api/orders/42/payment': {
        body: { success: true, orderId: 42, clientSecret: 'cs_2', publicKey: 'pk_1' },
      },
    })
    renderRoom(thankYou(), { at: '/thank-you?success=false&merchant_order_id=42' })
    expect((await screen.findByRole('alert')).textContent).toContain('Payment Failed')
    await userEvent.click(screen.getByRole('button', { name: t('failure.payAgain') }))
    await waitFor(() =>
      expect(openDocument).toHaveBeenCalledWith('/payment?clientSecret=cs_2&publicKey=pk_1&orderId=42'),
    )
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('says why the payment cannot be opened again', async () => {
    stubGateway({
      'GET /api/orders/42': orderWith('PENDING_PAYMENT', null),
      'POST /api/orders/42/payment': problem(503, 'PAYMENT_UNAVAILABLE', 'Not answering'),
    })
    renderRoom(thankYou(), { at: '/thank-you?success=false&merchant_order_id=42' })
    const payAgain = await screen.findByRole('button', { name: t('failure.payAgain') })
    await userEvent.click(payAgain)
    expect(await screen.findByText('Not answering')).toBeTruthy()
    expect(screen.getByRole('button', { name: t('failure.payAgain') })).toHaveProperty('disabled', false)
    expect(openDocument).not.toHaveBeenCalled()
  })

  it('does not offer it for an order that has ended', async () => {
    stubGateway({ 'GET /api/orders/42': orderWith('EXPIRED', null) })
    renderRoom(thankYou(), { at: '/thank-you?success=false&merchant_order_id=42' })
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('failure.payAgain') })).toBeNull()
  })

  it('gives way to the order when the server says it is paid', async () => {
    stubGateway({ 'GET /api/orders/42': orderWith('PAID', '290012345678') })
    renderRoom(thankYou(), { at: '/thank-you?success=false&merchant_order_id=42' })
    expect(await screen.findByRole('dialog', { name: t('claim.PAID') })).toBeTruthy()
  })
})

describe('a success', () => {
  it('shows a loading state first', async () => {
    const answer = Promise.withResolvers<{ body: unknown }>()
    stubGateway({ 'GET /api/orders/OD-42-1': () => answer.promise })
    renderRoom(thankYou(), { at })
    expect(await screen.findByText(t('loading'))).toBeTruthy()
    answer.resolve(orderWith('PAID', '290012345678'))
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })

  it('is a claim: order, status, airway bill, barcode, places and a file to keep', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('PAID', '290012345678') })
    renderRoom(thankYou(), { at })
    const claim = within(await screen.findByRole('dialog', { name: t('claim.PAID') }))
    for (const fact of ['OD-42', '990011', t('types.FROM_MINA'), t('status.PAID'), '290012345678']) {
      expect(claim.getByText(fact)).toBeTruthy()
    }
    expect(claim.getByText('290012345678').getAttribute('dir')).toBe('ltr')
    expect(claim.getByRole('img', { name: textOf('awb', 'barcode', { awb: '290012345678' }) })).toBeTruthy()
    const file = claim.getByRole('link', { name: textOf('awb', 'download') })
    expect(file.getAttribute('href')).toBe('/api/orders/barcode/290012345678.pdf?download=1')
    expect(file.getAttribute('download')).toBe('AWB-290012345678.pdf')
    expect(claim.getByText('Agent A1')).toBeTruthy()
    expect(claim.getByText('Malaz')).toBeTruthy()
    expect(claim.getAllByRole('link', { name: textOf('place', 'map') })).toHaveLength(1)
  })

  it('lists both airway bills of there and back', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('PAID', '290000000001', '290000000002') })
    renderRoom(thankYou(), { at })
    expect(await screen.findByRole('heading', { name: t('leg', { number: 1, total: 2 }) })).toBeTruthy()
    expect(screen.getByRole('heading', { name: t('leg', { number: 2, total: 2 }) })).toBeTruthy()
    expect(screen.getAllByRole('link', { name: textOf('awb', 'download') })).toHaveLength(2)
  })

  it('closes with the button and with Escape', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('PAID', '290012345678') })
    const onClose = vi.fn()
    renderRoom(thankYou({ onClose }), { at })
    await userEvent.click(await screen.findByRole('button', { name: t('close') }))
    expect(onClose).toHaveBeenCalledTimes(1)
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledTimes(2)
  })

  it('is not believed before the server says so', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('PENDING_PAYMENT', null) })
    const onBookAgain = vi.fn()
    renderRoom(thankYou({ onBookAgain }), { at })
    expect(await screen.findByRole('dialog', { name: t('claim.PENDING_PAYMENT') })).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toContain(t('pending.title'))
    expect(screen.getByText(t('noTransaction'))).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: t('pending.bookAgain') }))
    expect(onBookAgain).toHaveBeenCalledOnce()
  })

  it('is looked for again on request', async () => {
    let isPaid = false
    stubGateway({
      'GET /api/orders/OD-42-1': () =>
        isPaid ? orderWith('PAID', '290012345678') : orderWith('PENDING_PAYMENT', null),
    })
    renderRoom(thankYou(), { at })
    const refresh = await screen.findByRole('button', { name: t('pending.refresh') })
    isPaid = true
    await userEvent.click(refresh)
    expect(await screen.findByRole('dialog', { name: t('claim.PAID') })).toBeTruthy()
  })

  it('turns from pending to paid to issued by itself, and then stops asking', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let answer = orderWith('PENDING_PAYMENT', null)
    const calls = stubGateway({ 'GET /api/orders/OD-42-1': () => answer })
    renderRoom(thankYou(), { at })
    await act(() => vi.advanceTimersByTimeAsync(500))
    expect(screen.getByRole('dialog', { name: t('claim.PENDING_PAYMENT') })).toBeTruthy()
    answer = orderWith('PAID', null)
    await act(() => vi.advanceTimersByTimeAsync(8_000))
    expect(screen.getByRole('dialog', { name: t('claim.PAID') })).toBeTruthy()
    expect(screen.getByText(t('issuing'))).toBeTruthy()
    answer = orderWith('PAID', '290012345678')
    await act(() => vi.advanceTimersByTimeAsync(8_000))
    expect(screen.getByText('290012345678')).toBeTruthy()
    const asked = calls.length
    await act(() => vi.advanceTimersByTimeAsync(300_000))
    expect(calls).toHaveLength(asked)
  })

  it('looks quickly again for the airway bill, however long the payment took', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let answer = orderWith('PENDING_PAYMENT', null)
    const calls = stubGateway({ 'GET /api/orders/OD-42-1': () => answer })
    renderRoom(thankYou(), { at })
    await act(() => vi.advanceTimersByTimeAsync(300_000))
    answer = orderWith('PAID', null)
    calls.length = 0
    await act(() => vi.advanceTimersByTimeAsync(120_000))
    expect(screen.getByText(t('issuing'))).toBeTruthy()
    // Once a minute would be two looks, or three at most.
    expect(calls.length).toBeGreaterThan(5)
  })

  it.each([
    ['EXPIRED', 'expired'],
    ['REFUNDED', 'refunded'],
  ])('explains an order that is %s', async (status, text) => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith(status, null) })
    renderRoom(thankYou(), { at })
    expect(await screen.findByRole('dialog', { name: t(`claim.${status}`) })).toBeTruthy()
    expect(screen.getByText(t(text))).toBeTruthy()
    expect(screen.queryByRole('link', { name: textOf('awb', 'download') })).toBeNull()
  })

  it('tells of a paid order, and of no other', async () => {
    let status = 'PENDING_PAYMENT'
    stubGateway({ 'GET /api/orders/OD-42-1': () => orderWith(status, null) })
    const onPaid = vi.fn()
    renderRoom(thankYou({ onPaid }), { at })
    const refresh = await screen.findByRole('button', { name: t('pending.refresh') })
    expect(onPaid).not.toHaveBeenCalled()
    status = 'PAID'
    await userEvent.click(refresh)
    await waitFor(() => expect(onPaid.mock.calls).toEqual([[42]]))
  })

  it.each([
    ['PENDING_PAYMENT', 'waiting', 'journey.pay'],
    ['PAID', 'good', 'journey.labelStep'],
    ['EXPIRED', 'waiting', 'journey.pay'],
    ['REFUNDED', 'waiting', undefined],
  ])('gives %s its colour, and marks the step it is at', async (status, tone, step) => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith(status, null) })
    renderRoom(thankYou(), { at })
    const claim = within(await screen.findByRole('dialog'))
    const badge = claim.getByText(t(`status.${status}`)).closest('.status-badge')
    expect(badge?.className).toContain(`status-badge-${tone}`)
    const current = screen.queryAllByRole('listitem', { current: 'step' })
    const names = step === undefined ? [] : [textOf('ui', step)]
    expect(current.map((item) => item.querySelector('.journey-name')?.textContent)).toEqual(names)
  })

  it('says which order ended when it is to be booked again', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('EXPIRED', null) })
    const onBookAgain = vi.fn()
    renderRoom(thankYou({ onBookAgain }), { at })
    await userEvent.click(await screen.findByRole('button', { name: t('pending.bookAgain') }))
    expect(onBookAgain.mock.calls).toMatchObject([[{ orderId: 42, status: 'EXPIRED' }]])
  })

  it('says of a paid order without a transaction id that there is none yet', async () => {
    const { body } = orderWith('PAID', '290012345678')
    const { transactionId: _, ...order } = body.order
    stubGateway({ 'GET /api/orders/OD-42-1': { body: { ...body, order } } })
    renderRoom(thankYou(), { at })
    expect(await screen.findByText(t('noTransaction'))).toBeTruthy()
    expect(screen.getByText('290012345678')).toBeTruthy()
  })

  it('shows a status it does not know as it came', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('ON_HOLD', null) })
    renderRoom(thankYou(), { at })
    expect(await screen.findByText('ON_HOLD')).toBeTruthy()
  })

  it('says when the order cannot be loaded, and tries again', async () => {
    let isDown = true
    stubGateway({
      'GET /api/orders/OD-42-1': () =>
        isDown
          ? problem(404, 'ORDER_NOT_FOUND', 'We could not find this order.')
          : orderWith('PAID', '290012345678'),
    })
    renderRoom(thankYou(), { at })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('We could not find this order.')
    isDown = false
    await userEvent.click(within(alert).getByRole('button'))
    expect(await screen.findByText('290012345678')).toBeTruthy()
  })

  it('speaks Arabic with the numbers from left to right', async () => {
    stubGateway({ 'GET /api/orders/OD-42-1': orderWith('PAID', '290012345678') })
    renderRoom(thankYou(), { at, language: 'ar' })
    expect(await screen.findByRole('dialog', { name: t('claim.PAID') })).toBeTruthy()
    expect(screen.getByText('الملز')).toBeTruthy()
    expect(screen.getByText('OD-42').getAttribute('dir')).toBe('ltr')
  })
})
