// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { formatMoney } from '#client/platform/format.ts'
import { expectConsole } from '#test/kit/console-law.ts'
import { problem, type RecordedCall, renderRoom, stubGateway, textOf } from '#test/kit/room.tsx'
import { CheckoutPage } from './checkout.page.tsx'

const centers = [{ code: 'RUH1', addressAR: 'الملز', addressEN: 'Malaz', city: 'Riyadh', coordinates: null }]
const agents = [
  {
    id: 'A1',
    name: 'Agent A1',
    address: 'Jamarat side',
    city: 'Mina',
    phone: '+966500000101',
    coordinates: { latitude: 21.4, longitude: 39.9 },
  },
]
const partner = {
  'GET /api/partner/centers': { body: { success: true, centers } },
  'GET /api/partner/agents': { body: { success: true, agents } },
}
const started = { success: true, orderId: 42, clientSecret: 'cs_1', publicKey: 'pk_1' }

type Props = Parameters<typeof CheckoutPage>[0]

function checkoutWith(props: Partial<Props> = {}) {
  return (
    <CheckoutPage
      draft={{ type: 'FROM_MINA', agentCode: 'A1', centerCode: 'RUH1' }}
      userId={7}
      fare={{ base: 50, return: 50 }}
      maxWeightKg={15}
      orderKey={undefined}
      onOrderKey={() => {}}
      onMissing={() => {}}
      onStarted={() => {}}
      {...props}
    />
  )
}

/** As the app keeps the key: with the draft. */
function KeptCheckout({ onOrderKey, ...props }: Partial<Props>) {
  const [orderKey, setOrderKey] = useState(props.orderKey)
  const keep = (key: string) => {
    onOrderKey?.(key)
    setOrderKey(key)
  }
  return checkoutWith({ ...props, orderKey, onOrderKey: keep })
}

const keysOf = (calls: readonly RecordedCall[]) =>
  posted(calls).map(({ headers }) => headers['idempotency-key'])

const t = (key: string, values?: Record<string, unknown>) => textOf('checkout', key, values)
const payButton = () => screen.getByRole('button', { name: /Pay|Processing/ })
const posted = (calls: readonly RecordedCall[]) => calls.filter(({ method }) => method === 'POST')

describe('the summary', () => {
  it('names the ends of the route, the luggage limit and the price with its VAT', async () => {
    stubGateway(partner)
    renderRoom(checkoutWith())
    expect(await screen.findByText('Agent A1')).toBeTruthy()
    expect(screen.getByText('Malaz')).toBeTruthy()
    expect(screen.getByText(t('luggage.note', { weight: 15 })).textContent).toContain('15')
    expect(screen.getByText('SAR 50.00 includes SAR 6.52 VAT.')).toBeTruthy()
    expect(payButton().textContent).toBe('Pay SAR\u00a050.00')
  })

  it('says in Arabic what it says in English', async () => {
    stubGateway(partner)
    renderRoom(checkoutWith(), { language: 'ar' })
    expect(await screen.findByText('الملز')).toBeTruthy()
    expect(screen.getByText('الرياض')).toBeTruthy()
    const amount = formatMoney(5_000, 'ar')
    expect(amount).toContain('50.00')
    expect(screen.getByRole('button', { name: t('pay', { amount }) })).toBeTruthy()
  })

  it('shows two legs and both fares there and back', async () => {
    stubGateway(partner)
    renderRoom(checkoutWith({ draft: { type: 'TO_AND_FROM_MINA', agentCode: 'A1', centerCode: 'RUH1' } }))
    const there = (await screen.findByRole('heading', { name: t('legs.toMina') })).parentElement
    const back = screen.getByRole('heading', { name: t('legs.fromMina') }).parentElement
    if (!there || !back) throw new Error('Both legs have a place of their own')
    const order = (leg: HTMLElement) =>
      within(leg)
        .getAllByRole('definition')
        .map((end) => (end.textContent?.includes('Agent A1') ? 'agent' : 'center'))
    expect(order(there)).toEqual(['center', 'agent'])
    expect(order(back)).toEqual(['agent', 'center'])
    expect(screen.getByText('SAR 100.00 includes SAR 13.04 VAT.')).toBeTruthy()
    expect(payButton().textContent).toBe('Pay SAR\u00a0100.00')
  })

  it('has placeholders for an agent and a branch it does not know', async () => {
    stubGateway(partner)
    renderRoom(checkoutWith({ draft: { type: 'FROM_MINA', agentCode: 'A9', centerCode: 'X9' } }))
    expect(await screen.findByText(t('unknownAgent'))).toBeTruthy()
    expect(screen.getByText(t('unknownLocation'))).toBeTruthy()
  })

  it.each([
    { agentCode: null, centerCode: 'RUH1' },
    { agentCode: 'A1', centerCode: null },
  ])('sends the person back when something is missing: %j', (missing) => {
    const calls = stubGateway(partner)
    const onMissing = vi.fn()
    renderRoom(checkoutWith({ draft: { type: 'FROM_MINA', ...missing }, onMissing }))
    expect(onMissing).toHaveBeenCalled()
    expect(screen.queryByRole('heading')).toBeNull()
    expect(calls).toEqual([])
  })
})

describe('paying', () => {
  it('sends the order once, says so, and hands the payment over', async () => {
    const answer = Promise.withResolvers<{ body: unknown }>()
    const calls = stubGateway({ ...partner, 'POST /api/checkout': () => answer.promise })
    const onStarted = vi.fn()
    renderRoom(checkoutWith({ onStarted }))
    await userEvent.click(payButton())
    expect(payButton().textContent).toBe('Processing...')
    expect(payButton()).toHaveProperty('disabled', true)
    await userEvent.click(payButton())
    answer.resolve({ body: started })
    await waitFor(() => expect(onStarted).toHaveBeenCalledWith(started))
    expect(await screen.findByText('Redirecting to payment gateway...')).toBeTruthy()
    expect(posted(calls)).toHaveLength(1)
    expect(posted(calls)[0]?.body).toEqual({
      userId: 7,
      type: 'FROM_MINA',
      noOfPackages: 1,
      agentCode: 'A1',
      centerCode: 'RUH1',
      amount: 50,
    })
    // On its way to the payment page it stays busy.
    expect(payButton()).toHaveProperty('disabled', true)
  })

  it('says that it failed, why, and lets the person try again under the same key', async () => {
    expectConsole(/checkout failed/)
    let tries = 0
    const calls = stubGateway({
      ...partner,
      'POST /api/checkout': () => {
        tries += 1
        return tries === 1
          ? problem(422, 'CHECKOUT_REFUSED', 'The booking cannot be made like this.', [
              { field: 'agentCode', message: 'Choose an agent from the list.' },
            ])
          : { body: started }
      },
    })
    const onStarted = vi.fn()
    renderRoom(<KeptCheckout onStarted={onStarted} />)
    await userEvent.click(payButton())
    expect(await screen.findByText('Failed to initiate payment. Please try again')).toBeTruthy()
    const alert = screen
      .getAllByRole('alert')
      .find((candidate) => candidate.textContent?.includes('The booking cannot be made like this.'))
    expect(alert?.textContent).toContain('Choose an agent from the list.')
    expect(payButton()).toHaveProperty('disabled', false)
    await userEvent.click(payButton())
    await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
    const keys = keysOf(calls)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
  })

  it('asks for the key to be kept before the answer, so that one that is lost costs no second order', async () => {
    const answer = Promise.withResolvers<{ body: unknown }>()
    const calls = stubGateway({ ...partner, 'POST /api/checkout': () => answer.promise })
    const onOrderKey = vi.fn()
    const onStarted = vi.fn()
    renderRoom(checkoutWith({ onOrderKey, onStarted }))
    await userEvent.click(payButton())
    await waitFor(() => expect(posted(calls)).toHaveLength(1))
    expect(onOrderKey.mock.calls).toEqual([keysOf(calls)])
    answer.resolve({ body: started })
    expect(await screen.findByText('Redirecting to payment gateway...')).toBeTruthy()
    expect(onStarted).toHaveBeenCalledOnce()
  })

  it('pays the order that waits already when the draft was sent before', async () => {
    const calls = stubGateway({ ...partner, 'POST /api/checkout': { body: started } })
    const onStarted = vi.fn()
    const onOrderKey = vi.fn()
    renderRoom(checkoutWith({ orderKey: 'kept-key', onOrderKey, onStarted }))
    await userEvent.click(payButton())
    await waitFor(() => expect(onStarted).toHaveBeenCalledWith(started))
    expect(keysOf(calls)).toEqual(['kept-key'])
    expect(onOrderKey).not.toHaveBeenCalled()
  })

  it.each(['ORDER_NOT_PAYABLE', 'IDEMPOTENCY_CONFLICT'])(
    'makes a new order by itself when the one that waited ended: %s',
    async (code) => {
      const calls = stubGateway({
        ...partner,
        'POST /api/checkout': ({ headers }) =>
          headers['idempotency-key'] === 'kept-key' ? problem(409, code, 'Over') : { body: started },
      })
      const onStarted = vi.fn()
      const onOrderKey = vi.fn()
      renderRoom(checkoutWith({ orderKey: 'kept-key', onOrderKey, onStarted }))
      await userEvent.click(payButton())
      await waitFor(() => expect(onStarted).toHaveBeenCalledWith(started))
      const [first, second, ...others] = keysOf(calls)
      expect([first, others]).toEqual(['kept-key', []])
      expect(onOrderKey.mock.calls).toEqual([[second]])
      expect(screen.queryByText('Over')).toBeNull()
    },
  )

  it('makes no new order while the one that waits only cannot be opened', async () => {
    expectConsole(/checkout failed/)
    const calls = stubGateway({
      ...partner,
      'POST /api/checkout': problem(503, 'PAYMENT_UNAVAILABLE', 'Not answering'),
    })
    renderRoom(checkoutWith({ orderKey: 'kept-key' }))
    await userEvent.click(payButton())
    expect(await screen.findByText('Not answering')).toBeTruthy()
    expect(keysOf(calls)).toEqual(['kept-key'])
  })

  it('can be pressed again when Back revives the page', async () => {
    stubGateway({ ...partner, 'POST /api/checkout': { body: started } })
    const onStarted = vi.fn()
    renderRoom(checkoutWith({ onStarted }))
    await userEvent.click(payButton())
    await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
    expect(payButton()).toHaveProperty('disabled', true)
    const revived = new Event('pageshow')
    Object.defineProperty(revived, 'persisted', { value: true })
    act(() => void window.dispatchEvent(revived))
    await waitFor(() => expect(payButton()).toHaveProperty('disabled', false))
  })
})
