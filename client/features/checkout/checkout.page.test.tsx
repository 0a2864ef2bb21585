// @vitest-environment jsdom

import { useQuery } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { formatMoney } from '#client/platform/format.ts'
import type { PublicConfig, PurchaseConfig } from '#shared/config/config.api.ts'
import { brand } from '#shared/platform/brand.ts'
import type { Stop } from '#shared/platform/stop.ts'
import { agentOf, centerOf, configOf, partnerOf } from '#test/builders/answer.builder.ts'
import { expectConsole } from '#test/kit/basics/complaints.ts'
import { reading } from '#test/kit/client/plain-text.ts'
import {
  isBusy,
  Known,
  problem,
  type RecordedCall,
  renderPage,
  stubGateway,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { CheckoutPage } from './checkout.page.tsx'

const partner = partnerOf([centerOf()], [agentOf()])
const started = { success: true, orderId: 42, clientSecret: 'cs_1', publicKey: 'pk_1' }

const { purchase } = configOf()

type Props = Parameters<typeof CheckoutPage>[0]

interface Given extends Partial<Props> {
  readonly receiverName?: string
  readonly purchase?: PurchaseConfig
  readonly stops?: readonly Stop[]
  readonly promises?: PublicConfig['promises']
}

function checkoutWith({
  receiverName = 'Maryam',
  purchase: given = purchase,
  stops = [],
  promises = { transitDays: {} },
  ...props
}: Given = {}) {
  return (
    <Known
      config={configOf({ purchase: given, stops: [...stops], promises })}
      user={{ id: 7, name: receiverName, phone: '+966550000001' }}
    >
      <CheckoutPage
        draft={{ type: 'FROM_MINA', agentCode: 'A1', centerCode: 'RUH1' }}
        orderKey={undefined}
        onOrderKey={() => {}}
        named={{}}
        receiver={null}
        email={null}
        isReceiverOpen={false}
        onStarted={() => {}}
        {...props}
      />
    </Known>
  )
}

/** Stores the key as the app does. */
function CheckoutWithKey({ onOrderKey, ...props }: Partial<Props>) {
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
const ofReceiver = (key: string, values?: Record<string, unknown>) => textOf('receiver', key, values)
const payButton = () => screen.getByRole('button', { name: /Pay|Processing/ })
const posted = (calls: readonly RecordedCall[]) => calls.filter(({ method }) => method === 'POST')

/** The pass repeats agent and branch beside the form. */
const route = () => within(screen.getByRole('region', { name: t('route') }))
const luggage = () => within(screen.getByRole('region', { name: textOf('purchase', 'notInTheBag.title') }))
const price = () => within(screen.getByRole('region', { name: t('price.title') }))

beforeEach(() => void stubGateway(partner))

describe('the summary', () => {
  it('names the ends of the route, the luggage limit and the price with its VAT', async () => {
    renderPage(checkoutWith())
    expect(await route().findByText('Agent A1')).toBeTruthy()
    expect(route().getByText('Malaz')).toBeTruthy()
    expect(route().getByText('Collect in Riyadh')).toBeTruthy()
    expect(route().getByText('RUH')).toBeTruthy()
    expect(price().getByText('SAR 50.00')).toBeTruthy()
    // The text is visible, not only for screen readers.
    for (const text of [textOf('purchase', 'bag', { weight: 15 }), 'Includes SAR 6.52 VAT'])
      expect(price().getByText(text).closest('.visually-hidden')).toBeNull()
    expect(payButton().textContent).toBe('Pay SAR\u00a050.00')
  })

  it('leads from each end of the route to its own question', async () => {
    renderPage(checkoutWith())
    await route().findByText('Agent A1')
    for (const [end, question] of [
      ['agent', 'agentCode'],
      ['center', 'centerCode'],
    ] as const) {
      const link = route().getByRole('link', { name: t(`change.${end}`) })
      expect(link.getAttribute('href')).toBe(`/booking?ask=${question}`)
    }
  })

  it('names the address of the agent, where the bag is handed in', async () => {
    renderPage(checkoutWith())
    const address = await route().findByText('Jamarat side')
    expect(address.closest('dd')?.textContent).toContain('Agent A1')
  })

  it('does not say whether the branch is open now, because the bag arrives days later', async () => {
    const hours = { week: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }] }
    stubGateway(partnerOf([centerOf({ hours })], [agentOf()]))
    renderPage(checkoutWith())
    await route().findByText('Malaz')
    expect(route().queryByText(/open/i)).toBeNull()
  })

  it('shows what may not be in the bag as four pictures with words, above the price and before Pay', async () => {
    renderPage(checkoutWith())
    await route().findByText('Agent A1')
    const things = luggage().getAllByRole('listitem')
    expect(things.map(({ textContent }) => textContent)).toEqual([
      'Cash',
      'Documents',
      'Medicine',
      'Batteries',
    ])
    for (const thing of things) expect(thing.querySelector('svg')).not.toBeNull()
    const regions = ['route', 'receiver.title', 'price.title'].map((name) =>
      screen.getByRole('region', { name: t(name) }),
    )
    const [way, receiver, cost] = regions
    const inOrder = [way, receiver, things[0], things[3], cost, payButton(), screen.getByText(t('seller'))]
    for (const [index, element] of inOrder.entries()) {
      const next = inOrder[index + 1]
      if (next) expect(element?.compareDocumentPosition(next)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    }
  })

  it.each([
    ['ar', 'حتى 23 ذو الحجة · 29 مايو', 'تصل عادةً خلال يومين إلى 4 أيام'],
    ['en', 'by 23 Dhuʻl-Hijjah · 29 May', 'Usually there in 2–4 days'],
  ] as const)('says in %s until when to hand it in, and when the bag is there', async (...said) => {
    const [language, ...texts] = said
    const promises: PublicConfig['promises'] = {
      transitDays: { RUH: [2, 4] },
      handInUntil: '2027-05-29',
      storageDays: 7,
      lostSar: 75,
    }
    vi.setSystemTime('2027-05-20T12:00:00+03:00')
    renderPage(checkoutWith({ promises }), { language })
    for (const text of texts) expect(await route().findByText(reading(text))).toBeTruthy()
    const lost = language === 'ar' ? 'إن فُقدت نعوّضك حتى 75\u00a0ر.س.' : 'If lost, we pay up to SAR\u00a075.'
    expect(
      screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === lost),
    ).toBeTruthy()
    expect(screen.getByText(textOf('purchase', 'examples'))).toBeTruthy()
    vi.useRealTimers()
  })

  it('folds the refund, the provider, the seller’s numbers and the phone of the support', async () => {
    renderPage(checkoutWith())
    await route().findByText('Agent A1')
    const seller = screen.getByText(t('seller'))
    const fold = seller.closest('details')
    expect(fold).toHaveProperty('open', false)
    await userEvent.click(seller)
    expect(fold).toHaveProperty('open', true)
    const folded = within(fold as HTMLElement)
    expect(folded.getByText(new RegExp(textOf('purchase', 'cancellation.untilHandOver')))).toBeTruthy()
    expect(folded.getByText('Payment by Paymob')).toBeTruthy()
    const numbers = folded.getAllByRole('definition').map(({ textContent }) => textContent)
    expect(numbers).toEqual(['300000000000003 (example)', '1010000000 (example)'])
    const help = folded.getByRole('link', { name: '+966 920 000 000' })
    expect(help.getAttribute('href')).toBe('tel:+966920000000')
  })

  it('says before paying until when the order can be cancelled', async () => {
    renderPage(checkoutWith({ purchase: { ...purchase, cancellation: { isOffered: true, hours: 24 } } }))
    await route().findByText('Agent A1')
    const said = ['cancellation.withinHours', 'cancellation.money']
    const texts = said.map((key) => textOf('purchase', key, { count: 24, days: 14 }))
    expect(screen.getByText(texts.join(' '))).toBeTruthy()
  })

  it.each(['ar', 'en'] as const)(
    'says before paying, in the operator’s words, what is paid for a lost bag: %s',
    async (language) => {
      const liability = { ar: 'عن الحقيبة المفقودة 75 ر.س.', en: 'SAR 75 for a lost bag.' }
      renderPage(checkoutWith({ purchase: { ...purchase, liability } }), { language })
      expect(await screen.findByText(liability[language])).toBeTruthy()
    },
  )

  it('says nothing of what is paid for a lost bag where the operator does not', async () => {
    renderPage(checkoutWith())
    await route().findByText('Agent A1')
    expect(document.body.textContent).not.toMatch(
      /usually|days after|by \d|lost|liab|compensat|declared|insur|examples/i,
    )
  })

  it.each(['ar', 'en'] as const)(
    'says directly above the button what paying accepts, with a link to read it: %s',
    async (language) => {
      renderPage(checkoutWith(), { language })
      const link = await screen.findByRole('link', { name: brand.termsName[language] })
      expect(link.getAttribute('href')).toBe('/terms')
      expect(link.parentElement?.textContent).toBe(purchase.terms[language])
      expect(link.parentElement?.nextElementSibling).toBe(
        screen.getByRole('button', { name: t('pay', { amount: formatMoney(5_000, language) }) }),
      )
    },
  )

  it('links to the terms also where an operator calls them otherwise', async () => {
    const terms = { ar: 'تقبل ما اتفقنا عليه.', en: 'You accept what we agreed.' }
    renderPage(checkoutWith({ purchase: { ...purchase, terms } }))
    const link = await screen.findByRole('link', { name: brand.termsName.en })
    expect(link.parentElement?.textContent).toBe(`${terms.en} ${brand.termsName.en}`)
  })

  it('does not call the seller’s real numbers an example', async () => {
    renderPage(checkoutWith({ purchase: { ...purchase, seller: { ...purchase.seller, isExample: false } } }))
    await route().findByText('Agent A1')
    expect(screen.getByText('300000000000003').parentElement?.textContent).toBe('300000000000003')
  })

  it('shows no numbers of a seller who has configured none', async () => {
    renderPage(checkoutWith({ purchase: { ...purchase, seller: { isExample: false } } }))
    await route().findByText('Agent A1')
    expect(screen.queryByText(textOf('purchase', 'vatNumber'))).toBeNull()
    expect(screen.queryByText(textOf('purchase', 'registrationNumber'))).toBeNull()
  })

  it.each([
    ['ar', /ضريبة/],
    ['en', /\bVAT\b/],
  ] as const)('says nothing of VAT in %s for a seller without a VAT number', async (language, vat) => {
    const seller = { registrationNumber: '4030000001', isExample: false }
    const { container } = renderPage(checkoutWith({ purchase: { ...purchase, seller } }), { language })
    await route().findByText(language === 'ar' ? 'الملز' : 'Malaz')
    expect(price().getByText(/50\.00/)).toBeTruthy()
    expect(container.textContent).not.toMatch(vat)
  })

  it('shows two legs and both fares there and back', async () => {
    renderPage(checkoutWith({ draft: { type: 'TO_AND_FROM_MINA', agentCode: 'A1', centerCode: 'RUH1' } }))
    const there = (await screen.findByRole('heading', { name: t('legs.toMina') })).parentElement
    const back = screen.getByRole('heading', { name: t('legs.fromMina') }).parentElement
    if (!there || !back) throw new Error('expected two legs')
    const order = (leg: HTMLElement) =>
      within(leg)
        .getAllByRole('definition')
        .map((end) => (end.textContent?.includes('Agent A1') ? 'agent' : 'center'))
    expect(order(there)).toEqual(['center', 'agent'])
    expect(order(back)).toEqual(['agent', 'center'])
    expect(price().getAllByText('SAR 50.00')).toHaveLength(2)
    expect(price().getByText('SAR 100.00')).toBeTruthy()
    expect(price().getByText('Includes SAR 13.04 VAT')).toBeTruthy()
    expect(payButton().textContent).toBe('Pay SAR\u00a0100.00')
    // The start of each leg is on the page and on the pass.
    for (const [key, place] of [
      ['handOverThere', 'Malaz'],
      ['handOverBack', 'Agent A1'],
    ] as const)
      expect(screen.getByText(textOf('purchase', key)).parentElement?.textContent).toContain(place)
  })

  it('shows placeholders for an unknown agent and branch', async () => {
    renderPage(checkoutWith({ draft: { type: 'FROM_MINA', agentCode: 'A9', centerCode: 'X9' } }))
    expect(await route().findByText(t('unknownAgent'))).toBeTruthy()
    expect(route().getByText(t('unknownLocation'))).toBeTruthy()
  })

  it.each([
    { agentCode: null, centerCode: 'RUH1' },
    { agentCode: 'A1', centerCode: null },
  ])('sends the person back when something is missing: %j', (missing) => {
    const calls = stubGateway(partner)
    const { where } = renderPage(checkoutWith({ draft: { type: 'FROM_MINA', ...missing } }), {
      at: '/checkout',
    })
    expect(where()).toBe('/booking')
    expect(screen.queryByRole('heading')).toBeNull()
    expect(calls).toEqual([])
  })
})

describe('a name that the label would fill up', () => {
  const question = (name: string) => screen.queryByText(ofReceiver('short', { name }))
  const whole = () => screen.getByRole('button', { name: ofReceiver('whole') })

  it('is asked about before paying, and paying goes on when it is whole', async () => {
    const calls = stubGateway({ ...partner, 'POST /api/checkout': { body: started } })
    const onStarted = vi.fn()
    renderPage(checkoutWith({ receiverName: 'سارة', onStarted }), { language: 'ar' })
    const pay = await screen.findByRole('button', { name: t('pay', { amount: formatMoney(5_000, 'ar') }) })
    await userEvent.click(pay)
    expect(document.activeElement).toBe(question('سارة')?.parentElement)
    expect(posted(calls)).toEqual([])
    const why = screen.getByText(t('receiver.nameAsked'))
    expect(pay.parentElement?.contains(why)).toBe(true)
    await userEvent.click(whole())
    expect(question('سارة')).toBeNull()
    expect(screen.queryByText(t('receiver.nameAsked'))).toBeNull()
    expect(document.activeElement).toBe(pay)
    await userEvent.click(pay)
    await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
  })

  it('is asked about by the form of another person, whose name and numbers are sent', async () => {
    const calls = stubGateway({ ...partner, 'POST /api/checkout': { body: started } })
    const named = { receiver: { name: 'Ali', phone: '0512345678' }, secondPhone: '+628123456789' }
    renderPage(checkoutWith({ receiverName: 'Maryam', named }))
    await route().findByText('Agent A1')
    expect(question('Ali')).toBeNull()
    await userEvent.click(payButton())
    await waitFor(() => expect(posted(calls)).toMatchObject([{ body: { userId: 7, ...named } }]))
  })

  it.each<[string, Given]>([
    ['it is long enough', { receiverName: 'Maryam' }],
    ['it was answered before the order was created', { receiverName: 'Ali', orderKey: 'kept-key' }],
    ['it is being corrected', { receiverName: 'Ali', isReceiverOpen: true }],
  ])('is not asked about when %s', async (_, props) => {
    renderPage(checkoutWith(props))
    await route().findByText('Agent A1')
    expect(screen.queryByRole('button', { name: ofReceiver('whole') })).toBeNull()
  })
})

describe('paying', () => {
  it('sends the order once, shows a toast, and passes the payment on', async () => {
    const answer = Promise.withResolvers<{ body: unknown }>()
    const calls = stubGateway({ ...partner, 'POST /api/checkout': () => answer.promise })
    const onStarted = vi.fn()
    renderPage(checkoutWith({ onStarted }))
    await userEvent.click(payButton())
    expect(payButton().textContent).toBe('Processing...')
    expect(isBusy(payButton())).toBe(true)
    // The form is inert, so that the shown receiver stays the one that was sent.
    expect(screen.getByRole('region', { name: t('receiver.title') }).hasAttribute('inert')).toBe(true)
    await userEvent.click(payButton())
    answer.resolve({ body: started })
    await waitFor(() => expect(onStarted).toHaveBeenCalledWith(started, keysOf(calls)[0]))
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
    // Still busy while the payment page loads.
    expect(isBusy(payButton())).toBe(true)
  })

  it('takes no second press of the one that led to it', async () => {
    stubGateway(partner)
    renderPage(checkoutWith())
    const settling = payButton().closest('[data-settling]')
    expect(settling).not.toBeNull()
    await waitFor(() => expect(settling?.hasAttribute('data-settling')).toBe(false))
  })

  it('shows the failure and its reason, and retries with the same key', async () => {
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
    renderPage(<CheckoutWithKey onStarted={onStarted} />)
    await userEvent.click(payButton())
    expect(await screen.findByText('Failed to initiate payment. Please try again')).toBeTruthy()
    // Screen readers announce the reason only, not the toast.
    const alert = screen.getByRole('alert')
    expect(alert.textContent).toContain('The booking cannot be made like this.')
    expect(alert.textContent).toContain('Choose an agent from the list.')
    expect(isBusy(payButton())).toBe(false)
    await userEvent.click(payButton())
    await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
    const keys = keysOf(calls)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
  })

  it('takes another key when its order was dropped for another receiver', async () => {
    expectConsole(/checkout failed/)
    const calls = stubGateway({ ...partner, 'POST /api/checkout': problem(503, 'PAYMENT_UNAVAILABLE', 'No') })
    const { rerender } = renderPage(checkoutWith({ orderKey: 'kept-key' }))
    await userEvent.click(payButton())
    await screen.findByText('No')
    rerender(checkoutWith({ orderKey: undefined }))
    await userEvent.click(payButton())
    await waitFor(() => expect(posted(calls)).toHaveLength(2))
    expect(keysOf(calls)).toEqual(['kept-key', expect.stringMatching(/^[0-9a-f]{32}$/)])
  })

  it('stores the key before the response, so that a lost response causes no second order', async () => {
    const answer = Promise.withResolvers<{ body: unknown }>()
    const calls = stubGateway({ ...partner, 'POST /api/checkout': () => answer.promise })
    const onOrderKey = vi.fn()
    const onStarted = vi.fn()
    renderPage(checkoutWith({ onOrderKey, onStarted }))
    await userEvent.click(payButton())
    await waitFor(() => expect(posted(calls)).toHaveLength(1))
    expect(onOrderKey.mock.calls).toEqual([keysOf(calls)])
    answer.resolve({ body: started })
    expect(await screen.findByText('Redirecting to payment gateway...')).toBeTruthy()
    expect(onStarted).toHaveBeenCalledOnce()
  })

  it.each([
    ['', undefined],
    [' in place of one that ended', 'kept-key'],
  ])('sends one request for three presses before the first is shown%s', async (_, orderKey) => {
    const calls = stubGateway({
      ...partner,
      'POST /api/checkout': ({ headers }) =>
        headers['idempotency-key'] === 'kept-key'
          ? problem(409, 'ORDER_NOT_PAYABLE', 'Over')
          : { body: started },
    })
    const onOrderKey = vi.fn()
    const onStarted = vi.fn()
    renderPage(<CheckoutWithKey orderKey={orderKey} onOrderKey={onOrderKey} onStarted={onStarted} />)
    const button = payButton()
    act(() => {
      for (const _ of [1, 2, 3]) button.click()
    })
    await waitFor(() => expect(onStarted).toHaveBeenCalled())
    const kept = orderKey === undefined ? [] : [orderKey]
    const created = keysOf(calls).at(-1)
    expect(keysOf(calls)).toEqual([...kept, created])
    expect(onOrderKey.mock.calls).toEqual([[created]])
  })

  it('pays the pending order when the draft was sent before', async () => {
    const calls = stubGateway({ ...partner, 'POST /api/checkout': { body: started } })
    const onStarted = vi.fn()
    const onOrderKey = vi.fn()
    renderPage(checkoutWith({ orderKey: 'kept-key', onOrderKey, onStarted }))
    await userEvent.click(payButton())
    await waitFor(() => expect(onStarted).toHaveBeenCalledWith(started, 'kept-key'))
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
      renderPage(checkoutWith({ orderKey: 'kept-key', onOrderKey, onStarted }))
      await userEvent.click(payButton())
      await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
      const [first, second, ...others] = keysOf(calls)
      expect([first, others]).toEqual(['kept-key', []])
      expect(onStarted).toHaveBeenCalledWith(started, second)
      expect(onOrderKey.mock.calls).toEqual([[second]])
      expect(screen.queryByText('Over')).toBeNull()
    },
  )

  it('creates no new order while the pending one only cannot be opened', async () => {
    expectConsole(/checkout failed/)
    const calls = stubGateway({
      ...partner,
      'POST /api/checkout': problem(503, 'PAYMENT_UNAVAILABLE', 'Not answering'),
    })
    renderPage(checkoutWith({ orderKey: 'kept-key' }))
    await userEvent.click(payButton())
    expect(await screen.findByText('Not answering')).toBeTruthy()
    expect(keysOf(calls)).toEqual(['kept-key'])
  })

  it.each([
    [409, 'TOO_MANY_OPEN_ORDERS', '/orders'],
    [422, 'CHECKOUT_REFUSED', undefined],
  ])('links to the orders only when too many are unpaid: %i %s', async (status, code, href) => {
    expectConsole(/checkout failed/)
    stubGateway({ ...partner, 'POST /api/checkout': problem(status, code, 'Refused') })
    renderPage(checkoutWith())
    await userEvent.click(payButton())
    const alert = (await screen.findByText('Refused')).closest('[role="alert"]')
    expect(alert?.querySelector('a')?.getAttribute('href')).toBe(href)
  })

  it('says what is not sold when the server says so, what to do, and reads the stops again', async () => {
    const stop = { what: 'agent', code: 'A1', text: { ar: 'متوقف', en: 'Closed today.' } } as const
    const refusal = {
      success: false,
      code: 'SALES_STOPPED',
      message: 'Closed today.',
      requestId: 'r-1',
      stop,
    }
    const calls = stubGateway({
      ...partner,
      'POST /api/checkout': { status: 409, body: refusal },
      'GET /api/config': { body: configOf() },
    })
    const configCalls = () => calls.filter(({ path }) => path === '/api/config').length
    expectConsole(/checkout failed/)
    const Reader = () => <i>{useQuery(configQuery).status}</i>
    renderPage(
      <>
        {checkoutWith()}
        <Reader />
      </>,
    )
    await screen.findByText('success')
    const before = configCalls()
    await userEvent.click(payButton())
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('Closed today.Choose another agent in your booking')
    expect(within(alert).getByRole('link').getAttribute('href')).toBe('/booking')
    await waitFor(() => expect(configCalls()).toBe(before + 1))
    expect(screen.queryByText(t('failed'))).toBeNull()
  })

  it.each<[string, Stop, string | undefined, boolean]>([
    ['of its city', { what: 'city', code: 'Riyadh', text: { ar: 'متوقف', en: 'Closed.' } }, undefined, true],
    [
      'of another city',
      { what: 'city', code: 'Jeddah', text: { ar: 'متوقف', en: 'Closed.' } },
      undefined,
      false,
    ],
    // The unanswered request may have created an order, which can still be paid.
    ['of a booking that was sent', { what: 'all', text: { ar: 'متوقف', en: 'Closed.' } }, 'key-1', false],
  ])('shows a stop that is known before it is pressed: %s', async (_, stop, orderKey, isShown) => {
    renderPage(checkoutWith({ stops: [stop], orderKey }))
    await route().findByText('Collect in Riyadh')
    expect(screen.queryByText('Closed.') !== null).toBe(isShown)
    expect(payButton()).toHaveProperty('disabled', false)
  })

  it('can be pressed again after Back restores the page', async () => {
    stubGateway({ ...partner, 'POST /api/checkout': { body: started } })
    const onStarted = vi.fn()
    renderPage(checkoutWith({ onStarted }))
    await userEvent.click(payButton())
    await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
    expect(isBusy(payButton())).toBe(true)
    const revived = new Event('pageshow')
    Object.defineProperty(revived, 'persisted', { value: true })
    act(() => void window.dispatchEvent(revived))
    await waitFor(() => expect(isBusy(payButton())).toBe(false))
  })
})

describe('the receiver', () => {
  it('is shown before paying', async () => {
    renderPage(checkoutWith({ receiver: 'Maryam, +966550000001' }))
    expect(screen.getByRole('region', { name: t('receiver.title') }).textContent).toContain('Maryam')
    await route().findByText('Agent A1')
  })

  it('blocks the payment while the name is not saved, with the reason', async () => {
    const calls = stubGateway({ ...partner, 'POST /api/checkout': { body: started } })
    const { rerender } = renderPage(checkoutWith({ isReceiverOpen: true }))
    await userEvent.click(payButton())
    expect(screen.getByRole('alert').textContent).toBe(t('receiver.unsaved'))
    expect(posted(calls)).toEqual([])
    rerender(checkoutWith())
    expect(screen.queryByRole('alert')).toBeNull()
    await userEvent.click(payButton())
    await waitFor(() => expect(posted(calls)).toHaveLength(1))
  })
})

it.each([
  ['with its number', 41, /OD-41/],
  ['without a number that was never told', null, /an earlier order with other details/],
  ['not where there is none', undefined, undefined],
])('an earlier order for another route is shown %s', async (_, earlierOrderId, words) => {
  renderPage(checkoutWith({ earlierOrderId }))
  await route().findByText('Agent A1')
  const link = screen.queryByRole('link', { name: t('earlierOrders') })
  expect(link?.getAttribute('href')).toBe(words && '/orders')
  if (words) expect(screen.getByText(words)).toBeTruthy()
})
