// @vitest-environment jsdom

import { useIsFetching, useQuery } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { openDocument } from '#client/platform/document.ts'
import { keepInstallOffer } from '#client/platform/install-offer.ts'
import { passesErrors } from '#shared/passes/passes.errors.ts'
import { bookingOf, configOf, orderOf } from '#test/builders/answer.builder.ts'
import {
  isBusy,
  problem,
  renderPage,
  type StubbedRoute,
  stubGateway,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { KeepIt } from './keep-it.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  openDocument: vi.fn(),
}))

const t = (key: string, values?: Record<string, unknown>) => textOf('keep', key, values)
const awb = '290012345678'
const walletPath = `/api/orders/42/wallet/${awb}`
// The clock of these tests: a Sunday.
const noon = new Date('2027-06-13T12:00:00+03:00')
const hours = { week: [{ days: [0], from: '08:00', to: '23:00' }] }
const center = {
  code: 'RUH1',
  addressAR: 'الملز',
  addressEN: 'Malaz',
  city: 'Riyadh',
  coordinates: null,
  hours,
}

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: noon }))
afterEach(() => {
  act(() => void window.dispatchEvent(new Event('appinstalled')))
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.mocked(openDocument).mockReset()
})

interface Opened {
  readonly order?: Parameters<typeof orderOf>[0]
  /** `null`: the gateway is too old to name wallets. */
  readonly wallets?: 'google'[] | null
  readonly routes?: Record<string, StubbedRoute>
}

function open({ order, wallets = ['google'], routes }: Opened = {}) {
  stubGateway({
    'GET /api/config': { body: { ...configOf(), wallets: wallets ?? undefined } },
    'GET /api/partner/centers': { body: { success: true, centers: [center] } },
    ...routes,
  })
  renderPage(
    <>
      <KeepIt order={orderOf(order)} />
      <Settled />
    </>,
  )
}

/** Rendered together with the rows: its text appears once the configuration and the state of push messages are known. */
function Settled() {
  const isKnown = useQuery(configQuery).data !== undefined
  return useIsFetching() === 0 && isKnown ? <p>settled</p> : null
}
const settled = () => screen.findByText('settled')

keepInstallOffer()
/** The browser offers the installation of the app. */
function offerInstall() {
  const prompt = vi.fn(async () => undefined)
  const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => void window.dispatchEvent(offer))
  return offer
}

const saving = () => screen.findByRole('button', { name: t('wallet.action') })

describe('Google Wallet', () => {
  it.each<[string, () => void]>([
    [
      'Back from its page',
      () => act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))),
    ],
    [
      'its app, which left the page as it was',
      () => {
        for (const state of ['hidden', 'visible'] as const) {
          vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
          act(() => void document.dispatchEvent(new Event('visibilitychange')))
        }
      },
    ],
  ])('opens the page that saves the barcode, and can be opened again after %s', async (_, comeBack) => {
    const url = 'https://pay.google.com/gp/v/save/token'
    open({ routes: { [`GET ${walletPath}`]: { body: { success: true, url } } } })
    await userEvent.click(await saving())
    const button = await screen.findByRole('button', { name: t('wallet.opening') })
    await waitFor(() => expect(openDocument).toHaveBeenCalledExactlyOnceWith(url))
    expect(isBusy(button)).toBe(true)
    comeBack()
    expect(isBusy(await saving())).toBe(false)
  })

  it('says at its button why it did not open', async () => {
    const { status, text } = passesErrors.WALLET_NOT_OFFERED
    open({ routes: { [`GET ${walletPath}`]: problem(status, 'WALLET_NOT_OFFERED', text.en) } })
    await userEvent.click(await saving())
    expect(await screen.findByText(text.en)).toBeTruthy()
    expect(await saving()).toBeTruthy()
    expect(openDocument).not.toHaveBeenCalled()
  })

  it('has each bag that has its barcode and was not collected', async () => {
    const bookings = [bookingOf({ state: 'COLLECTED' }), bookingOf({ awb: '290012345679' })]
    open({ order: { type: 'TO_AND_FROM_MINA', bookings } })
    const group = await screen.findByRole('group', { name: 'In Google Wallet · Shipment 2 of 2' })
    expect(within(group).getByRole('button', { name: t('wallet.action') })).toBeTruthy()
    expect(screen.getAllByRole('group', { name: /Google Wallet/ })).toHaveLength(1)
  })
})

describe('the question', () => {
  it.each<[string, boolean, Opened, 'with the offer to install'?]>([
    ['is asked of an order with its barcode', true, {}],
    ['is not asked where no wallet is configured and the browser offers nothing', false, { wallets: [] }],
    ['is not asked where the gateway knows no wallets', false, { wallets: null }],
    ['is asked where only the app can be installed', true, { wallets: [] }, 'with the offer to install'],
    [
      'is not asked before the airway bill is there',
      false,
      { order: { bookings: [bookingOf({ awb: null })] } },
      'with the offer to install',
    ],
    [
      'is not asked of a bag that is not carried any more',
      false,
      { order: { bookings: [bookingOf({ state: 'CANCELLED' })] } },
      'with the offer to install',
    ],
    [
      'is not asked after the collection',
      false,
      { order: { bookings: [bookingOf({ state: 'COLLECTED' })] } },
      'with the offer to install',
    ],
  ])('%s', async (_, isAsked, opened, offer) => {
    if (offer) offerInstall()
    open(opened)
    await settled()
    expect(document.body.textContent?.includes(t('title'))).toBe(isAsked)
  })
})

describe('the home screen', () => {
  it('is offered by the browser when it is pressed, once', async () => {
    open({ wallets: [] })
    const offer = offerInstall()
    // The browser does not ask without a press of the button.
    expect(offer.defaultPrevented).toBe(true)
    expect(offer.prompt).not.toHaveBeenCalled()
    await userEvent.click(await screen.findByRole('button', { name: t('install.action') }))
    expect(offer.prompt).toHaveBeenCalledOnce()
    expect(screen.queryByRole('button', { name: t('install.action') })).toBeNull()
  })

  it('is told in words on an iPhone, where the wallet has no app', async () => {
    vi.stubGlobal('navigator', { ...navigator, userAgent: 'Mozilla/5.0 (iPhone)', maxTouchPoints: 5 })
    open()
    await settled()
    expect(screen.getByText(t('install.byHand'))).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('notifications', () => {
  const path = '/api/push/subscriptions'
  beforeEach(() => {
    vi.stubGlobal('PushManager', class {})
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: {} })
  })
  afterEach(() => void Reflect.deleteProperty(navigator, 'serviceWorker'))

  it.each([
    ['are offered', 'B-public-key', 'default', true],
    ['are not offered where none are sent', null, 'default', false],
    ['are not offered where the user refused them', 'B-public-key', 'denied', false],
  ])('%s', async (_, publicKey, permission, isOffered) => {
    vi.stubGlobal('Notification', { permission })
    open({
      wallets: [],
      routes: { [`GET ${path}`]: { body: { success: true, publicKey, isOn: false } } },
    })
    await settled()
    const button = screen.queryByRole('button', { name: textOf('push', 'switchOn') })
    expect([button !== null, document.body.textContent?.includes(t('title'))]).toEqual([isOffered, isOffered])
  })
})

describe('the calendar', () => {
  it('is offered while the bag is at a branch whose hours are known', async () => {
    open({ wallets: [], order: { centerCode: 'RUH1', bookings: [bookingOf({ state: 'AT_BRANCH' })] } })
    const link = await screen.findByRole('link', { name: t('calendar.action') })
    expect(link.getAttribute('href')).toBe('/api/orders/42/visit.ics')
    // The page must not navigate to an answer that is no file.
    expect(link.hasAttribute('download')).toBe(true)
  })

  it('is not offered before: no date is known then', async () => {
    open({ order: { centerCode: 'RUH1', bookings: [bookingOf({ state: 'IN_TRANSIT' })] } })
    await saving()
    expect(screen.queryByRole('link')).toBeNull()
  })
})
