// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepBags } from '#client/entities/handover/kept-bags.ts'
import { readOutbox } from '#client/entities/handover/outbox.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, configOf, orderOf } from '#test/builders/answer.builder.ts'
import { beginShift } from '#test/kit/client/agent-shift.ts'
import { stubDrawing } from '#test/kit/client/drawing.ts'
import { emptyOutbox } from '#test/kit/client/empty-outbox.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import {
  problem,
  type RecordedCall,
  renderPage,
  type StubbedRoute,
  type StubResponse,
  stubGateway,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { AgentScanPage } from './agent-scan.page.tsx'
import handoverStyles from './handovers.module.css'
import receivedStyles from './received-screen.module.css'

const agentId = 3
const awb = '290012345678'
const t = (key: string, values?: Record<string, unknown>) => textOf('handovers', key, values)

function orderIn(state: Order['bookings'][number]['state'], changes: Partial<Order> = {}): Order {
  const booking = bookingOf({ state, lastEventAt: '2027-05-19T05:00:00.000Z' })
  return orderOf({ user: { name: 'Aisha Bello', phone: '+966501112233' }, bookings: [booking], ...changes })
}

const found = (...orders: Order[]): StubResponse => ({
  body: { success: true, orders, counts: { waiting: 1, received: 0, refused: 0 }, nextCursor: null },
})
const recorded: StubResponse = { body: { success: true } }

const agent: StubResponse = { body: { success: true, agentId, name: 'Counter 1', phone: '+9665' } }

/** Opens the page. @returns the calls about hand-overs so far. */
function open(routes: Readonly<Record<string, StubbedRoute>> = {}, language: 'ar' | 'en' = 'en') {
  const calls = stubGateway({
    'GET /api/auth/agent': agent,
    'GET /api/config': { body: configOf() },
    [`GET /api/orders/agent/${agentId}`]: found(orderIn('READY')),
    'POST /api/handovers': recorded,
    [`DELETE /api/handovers/${awb}`]: { body: { success: true, booking: bookingOf() } },
    ...routes,
  })
  localStorage.setItem('scanAgent', String(agentId))
  renderPage(<AgentScanPage />, { at: '/agent-scan', language })
  return {
    handovers: () =>
      calls.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/handovers')),
    person: userEvent.setup(),
  }
}

const field = () => screen.getByRole('textbox', { name: t('number.label') })
const button = (name: string) => screen.findByRole('button', { name })
/** The list of confirmations. */
const kept = () => within(screen.getByRole('region', { name: t('kept.title') }))
/** The screen of a bag that was just received. */
const green = () => document.querySelector(`.${receivedStyles.screen}`)
const methods = (calls: readonly RecordedCall[]) => calls.map(({ method }) => method)

async function enter(person: ReturnType<typeof userEvent.setup>, number: string): Promise<void> {
  await person.clear(field())
  await person.type(field(), `${number}{Enter}`)
}

/** Types like a hand scanner: 6 ms between keys, by the time stamps of the events. */
function scanByHand(text: string, target: Element = document.body): void {
  const digits = [...text].map((digit) => ({ code: `Digit${digit}`, key: 'ل' }))
  pressFast([...digits, { code: 'Enter', key: 'Enter' }], target)
}

function pressFast(keys: readonly { code: string; key: string }[], target: Element = document.body): void {
  for (const [index, { code, key }] of keys.entries()) {
    const event = new KeyboardEvent('keydown', { code, key, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: 1_000 + index * 6 })
    const isAllowed = fireEvent(target, event)
    // A browser clicks the focused button on Enter.
    if (key === 'Enter' && isAllowed && target instanceof HTMLButtonElement) fireEvent.click(target)
  }
}

beforeEach(async () => {
  localStorage.clear()
  beginShift(agentId)
  await emptyOutbox()
})

describe('the number by hand', () => {
  it('shows at once whose bag it is and where it goes; a confirmation can be undone', async () => {
    const { handovers, person } = open()
    await enter(person, awb)
    expect(await screen.findByRole('heading', { name: t('check.receive.title') })).toBeTruthy()
    for (const text of ['Aisha Bello', 'OD-42', '5678', 'Riyadh', awb])
      expect(screen.getByText(text)).toBeTruthy()
    // Solid green is for what was received.
    expect(green()).toBeNull()
    const confirm = await button(t('confirm'))
    // Enter confirms the bag.
    await waitFor(() => expect(document.activeElement).toBe(confirm))
    await person.click(confirm)
    await waitFor(() => expect(green()?.textContent).toMatch(/^5678Received.*Aisha Bello.*Riyadh/))
    const undo = await kept().findByRole('button', { name: /^Undo · (10:00|9:\d\d) left: Aisha Bello$/ })
    // The bar at the bottom edge shows the result, too, with the number first.
    const received = await screen.findByText(t('bar.received'), { selector: '[role="status"] *' })
    const said = received.closest('[role="status"]')
    expect(said?.textContent).toBe(`5678 ${t('bar.received')} Aisha Bello`)
    expect(within(said?.parentElement as HTMLElement).getByRole('button', { name: /^Undo/ })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: t('check.receive.title') })).toBeNull()
    expect(methods(handovers())).toEqual(['POST'])
    await person.click(undo)
    expect(await screen.findByText(t('kept.empty'))).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: t('kept.title') }))
    expect(methods(handovers())).toEqual(['POST', 'DELETE'])
  })

  it('is read in Arabic digits with spaces, and refused with a sentence at the field', async () => {
    const { person } = open({}, 'ar')
    await enter(person, '2900')
    expect(await screen.findByText(t('number.error'))).toBeTruthy()
    expect(document.activeElement).toBe(field())
    await enter(person, '٢٩٠٠ ١٢٣٤ ٥٦٧٨')
    expect(await screen.findByRole('heading', { name: t('check.receive.title') })).toBeTruthy()
  })

  it('brings the verdict into view, which comes above the number on a phone', async () => {
    const scrolled = vi.fn()
    Element.prototype.scrollIntoView = scrolled
    const { person } = open()
    await enter(person, awb)
    await button(t('confirm'))
    expect(scrolled).not.toHaveBeenCalled()
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -300, 360, 280))
    await enter(person, awb)
    await button(t('confirm'))
    await waitFor(() => expect(scrolled).toHaveBeenCalled())
  })

  it('is asked about no longer once the page is left', async () => {
    const { person } = open({
      [`GET /api/orders/agent/${agentId}`]: () => new Promise<StubResponse>(() => undefined),
    })
    const asked = vi.spyOn(globalThis, 'fetch')
    await enter(person, awb)
    const [, request] = asked.mock.calls.find(([url]) => String(url).includes(awb)) ?? []
    expect(request?.signal?.aborted).toBe(false)
    cleanup()
    expect(request?.signal?.aborted).toBe(true)
  })

  it('of a bag that is skipped sends nothing', async () => {
    const { handovers, person } = open()
    await enter(person, awb)
    await person.click(await button(t('skip')))
    expect(screen.queryByRole('heading', { name: t('check.receive.title') })).toBeNull()
    expect(handovers()).toEqual([])
  })
})

describe('a bag that is not accepted', () => {
  it.each<[string, StubResponse, string, number]>([
    ['another agent’s or unknown', found(), 'not-yours', 0],
    ['cancelled', found(orderIn('CANCELLED', { status: 'CANCELLED' })), 'cancelled', 1],
    ['refunded', found(orderIn('CANCELLED', { status: 'REFUNDED' })), 'refunded', 1],
    ['of a newer gateway', found(orderIn('READY', { status: 'ON_HOLD' as Order['status'] })), 'cancelled', 0],
  ])('says why, offers no confirmation, and its scan is recorded: %s', async (_, answer, key, scans) => {
    const { handovers, person } = open({
      [`GET /api/orders/agent/${agentId}`]: answer,
      'POST /api/handovers': problem(409, 'DO_NOT_ACCEPT', 'The order was cancelled.'),
    })
    await enter(person, awb)
    expect(await screen.findByRole('heading', { name: t(`check.${key}.title`) })).toBeTruthy()
    expect(screen.getByText(t(`check.${key}.text`))).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('confirm') })).toBeNull()
    const support = await screen.findByRole('link', { name: t('support') })
    expect(support.getAttribute('href')).toMatch(/^tel:\+966\d+$/)
    await person.click(await button(t('next')))
    expect(screen.queryByRole('heading', { name: t(`check.${key}.title`) })).toBeNull()
    // The agent has read the result on the page: the list does not repeat it.
    await waitFor(async () => expect([handovers().length, await readOutbox(agentId)]).toEqual([scans, []]))
    expect(screen.getByText(t('kept.empty'))).toBeTruthy()
  })

  it('by the agent is recorded with its reason, in words only for another one, and counted', async () => {
    const { handovers, person } = open({ 'POST /api/handovers/refusals': recorded })
    const send = () => button(t('refuse.send'))
    const choose = async (reason: string) => {
      await enter(person, awb)
      await person.click(await button(t('refuse.open')))
      await person.click(await button(t(`refuse.reasons.${reason}`)))
    }
    await choose('too-heavy')
    await person.click(await send())
    const notTaken = within(await screen.findByRole('region', { name: t('kept.notTaken') }))
    expect(await notTaken.findByText(t('kept.notAccepted'))).toBeTruthy()
    // It is not among the bags that the agent has received, and not green.
    expect(kept().getByText(t('kept.empty'))).toBeTruthy()
    expect(green()).toBeNull()
    expect(screen.queryByRole('heading', { name: t('check.receive.title') })).toBeNull()
    // The agent can still accept the bag.
    await choose('other')
    expect(await send()).toHaveProperty('disabled', true)
    await person.type(screen.getByRole('textbox', { name: t('refuse.text') }), ' Oil ')
    await person.click(await send())
    await waitFor(() =>
      expect(handovers().map(({ path, body }) => [path, body])).toEqual([
        ['/api/handovers/refusals', { awb, reason: 'too-heavy' }],
        ['/api/handovers/refusals', { awb, reason: 'other', text: 'Oil' }],
      ]),
    )
    expect(new Set(handovers().map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
    expect(await screen.findByText(/0 received · 2 not accepted · 0 to be sent$/)).toBeTruthy()
    // The page offers no undo, because the owner has read the message.
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
  })

  it('says when it was received', async () => {
    const { person } = open({ [`GET /api/orders/agent/${agentId}`]: found(orderIn('IN_TRANSIT')) })
    await enter(person, awb)
    expect(await screen.findByText(/^Received already: 19 May.*, \d\d:\d\d\.$/)).toBeTruthy()
  })

  it('after confirming off line is shown until it was read', async () => {
    const { person } = open({
      [`GET /api/orders/agent/${agentId}`]: () => undefined,
      'POST /api/handovers': problem(409, 'DO_NOT_ACCEPT', 'The order was cancelled.'),
    })
    await enter(person, awb)
    await person.click(await button(t('keep')))
    const notTaken = within(await screen.findByRole('region', { name: t('kept.notTaken') }))
    expect(notTaken.getByText(t('kept.refusal.DO_NOT_ACCEPT'))).toBeTruthy()
    expect(kept().getByText(t('kept.empty'))).toBeTruthy()
    await person.click(notTaken.getByRole('button', { name: t('kept.dismissOf', { bag: awb }) }))
    await waitFor(() => expect(screen.queryByText(t('kept.notTaken'))).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: t('title') }))
  })
})

describe('without a network', () => {
  const states = { isDown: true }
  const line = (answer: StubResponse) => () => (states.isDown ? undefined : answer)
  const routes = {
    [`GET /api/orders/agent/${agentId}`]: line(found(orderIn('READY'))),
    'GET /api/auth/agent': line({ body: { success: true, agentId, name: 'Counter 1', phone: '+9665' } }),
    'POST /api/handovers': line(recorded),
  }
  beforeEach(() => {
    states.isDown = true
  })

  it('a confirmation is kept, counted, and sent when the network returns', async () => {
    const { handovers, person } = open(routes)
    await enter(person, awb)
    expect(await screen.findByRole('heading', { name: t('check.unchecked.title') })).toBeTruthy()
    await person.click(await button(t('keep')))
    expect(await screen.findByText(t('kept.waiting', { count: 1 }))).toBeTruthy()
    expect(await screen.findByText(t('kept.unreachable'))).toBeTruthy()
    states.isDown = false
    act(() => void window.dispatchEvent(new Event('online')))
    await kept().findByRole('button', { name: /^Undo/ })
    await waitFor(() => expect(screen.queryByText(t('kept.waiting', { count: 1 }))).toBeNull())
    expect(methods(handovers())).toEqual(['POST'])
  })

  it.each(['READY', 'IN_TRANSIT'] as const)(
    'a bag is what was kept of it, with its time: %s',
    async (state) => {
      keepBags(agentId, [orderIn(state)], Date.now())
      const { person } = open(routes)
      await enter(person, awb)
      const key = state === 'READY' ? 'receive' : 'received'
      expect(await screen.findByRole('heading', { name: t(`check.${key}.title`) })).toBeTruthy()
      for (const text of ['Aisha Bello', /^No connection\. As of the list of \d/])
        expect(screen.getByText(text)).toBeTruthy()
      if (state === 'IN_TRANSIT') expect(screen.queryByRole('button', { name: t('keep') })).toBeNull()
      else await person.click(await button(t('keep')))
      if (state === 'READY')
        expect(
          await kept().findByRole('button', { name: t('kept.undoWaiting', { bag: 'Aisha Bello' }) }),
        ).toBeTruthy()
    },
  )

  it('a bag that was confirmed already is not confirmed twice', async () => {
    const { person } = open(routes)
    await enter(person, awb)
    await person.click(await button(t('keep')))
    await screen.findByText(t('kept.waiting', { count: 1 }))
    await enter(person, awb)
    expect(await screen.findByRole('heading', { name: t('check.kept.title') })).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('keep') })).toBeNull()
  })
})

it('asks the agent to sign in again when the session has ended, and keeps what waits', async () => {
  let hasEnded = false
  const { person } = open({
    'GET /api/auth/agent': () => (hasEnded ? problem(401, 'NOT_SIGNED_IN', 'Sign in') : agent),
  })
  await waitFor(() => expect(localStorage.getItem('agentSince')).not.toBeNull())
  hasEnded = true
  await enter(person, awb)
  await person.click(await button(t('confirm')))
  const link = await screen.findByRole('link', { name: t('kept.signIn') })
  expect(link.getAttribute('href')).toBe('/agent-auth?next=%2Fagent-scan')
  expect(screen.getByText(t('kept.waiting', { count: 1 }))).toBeTruthy()
})

describe('a hand scanner', () => {
  it.each([
    ['yes', 'on'],
    ['no', 'off'],
  ])('is said to be there once it has read, and sound is offered, once: %s', async (answer, kept) => {
    const { person } = open()
    await screen.findByText(t('kept.empty'))
    expect(screen.queryByText(t('wedge.connected'))).toBeNull()
    expect(screen.queryByText(t('offer.text'))).toBeNull()
    act(() => scanByHand(awb))
    expect(await screen.findByText(t('wedge.connected'))).toBeTruthy()
    await person.click(await button(t(`offer.${answer}`)))
    act(() => scanByHand('290087654321'))
    expect(await screen.findByRole('heading', { name: t('check.not-yours.title') })).toBeTruthy()
    expect(screen.queryByText(t('offer.text'))).toBeNull()
    expect(localStorage.getItem('scanSignals')).toBe(kept)
  })

  it('reads a bag whatever the keyboard layout, and its Enter presses no button', async () => {
    const { handovers } = open()
    await screen.findByText(t('kept.empty'))
    act(() => scanByHand(awb))
    const confirm = await button(t('confirm'))
    await waitFor(() => expect(document.activeElement).toBe(confirm))
    // The next bag is scanned while the button of this bag has the focus.
    act(() => scanByHand('290087654321', confirm))
    expect(await screen.findByRole('heading', { name: t('check.not-yours.title') })).toBeTruthy()
    expect(handovers()).toEqual([])
  })

  it('reads the next bag while the confirmation of this one is stored', async () => {
    open()
    await screen.findByText(t('kept.empty'))
    act(() => scanByHand(awb))
    const confirm = await button(t('confirm'))
    act(() => {
      fireEvent.click(confirm)
      scanByHand('290087654321')
    })
    expect(await screen.findByRole('button', { name: /^Undo/ })).toBeTruthy()
    expect(await screen.findByRole('heading', { name: t('check.not-yours.title') })).toBeTruthy()
  })

  it('is told that a bag belongs to another agent; a typed number is not', async () => {
    const { person } = open({
      [`GET /api/orders/agent/${agentId}`]: found(),
      [`GET /api/handovers/${awb}`]: { body: { success: true, isOfAnotherAgent: true } },
    })
    await screen.findByText(t('kept.empty'))
    act(() => scanByHand(awb))
    expect(await screen.findByText(t('check.other-agent.text'))).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('confirm') })).toBeNull()
    await enter(person, awb)
    expect(await screen.findByText(t('check.not-yours.text'))).toBeTruthy()
  })

  it('that reads another barcode is told which one to scan, also without a camera', async () => {
    open()
    await screen.findByText(t('camera.problem.none'))
    act(() => scanByHand('290012345'))
    expect(await screen.findByText(t('camera.wrong'))).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('confirm') })).toBeNull()
  })

  it('whose keys come from an input method is read, and sent to the field where they cannot be', async () => {
    open()
    await screen.findByText(t('kept.empty'))
    const enterKey = { code: '', key: 'Enter' }
    act(() => pressFast([...[...awb].map((key) => ({ code: '', key })), enterKey]))
    expect(await button(t('confirm'))).toBeTruthy()
    act(() => pressFast([...[...awb].map(() => ({ code: '', key: 'Unidentified' })), enterKey]))
    expect(await screen.findByText(t('wedge.unread'))).toBeTruthy()
    // The previous bag is gone, so that the agent cannot confirm it by mistake.
    expect(screen.queryByRole('button', { name: t('confirm') })).toBeNull()
    expect(screen.queryByText(t('camera.wrong'))).toBeNull()
  })

  it('that ends without Enter is sent to the field', async () => {
    open()
    await screen.findByText(t('kept.empty'))
    act(() => pressFast([...awb].map((digit) => ({ code: `Digit${digit}`, key: digit }))))
    expect(await screen.findByText(t('wedge.unread'))).toBeTruthy()
  })
})

/** jsdom has no camera. */
function stubMediaDevices(value: object): void {
  Object.defineProperty(navigator, 'mediaDevices', { value, configurable: true })
}

/** Sets the barcodes that the camera shows from now on. The reader is opened once for the document. */
let shown: (readonly string[])[] = []

/** A camera whose frames show these barcodes: one set per frame, and the last set for all later frames. */
function stubCamera(frames: (readonly string[])[], capabilities: object = {}) {
  shown = [...frames]
  const track = {
    stop: vi.fn(),
    getSettings: () => ({ deviceId: 'back' }),
    getCapabilities: () => capabilities,
    applyConstraints: vi.fn(async () => undefined),
  }
  const stream = { getVideoTracks: () => [track], getTracks: () => [track] }
  const mediaDevices = {
    getUserMedia: vi.fn(async () => stream),
    enumerateDevices: async () => [
      { kind: 'videoinput', deviceId: 'back', label: 'Back' },
      { kind: 'videoinput', deviceId: 'front', label: '' },
      { kind: 'audioinput', deviceId: 'mic', label: 'Mic' },
    ],
  }
  stubMediaDevices(mediaDevices)
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['code_128']
      async detect() {
        const texts = shown.length > 1 ? shown.shift() : shown[0]
        return (texts ?? []).map((rawValue) => ({ rawValue }))
      }
    },
  )
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(1280)
  vi.spyOn(HTMLVideoElement.prototype, 'videoHeight', 'get').mockReturnValue(720)
  return { track, mediaDevices }
}

/** A camera that cannot be opened. */
function stubBrokenCamera(name: string): void {
  const getUserMedia = async () => {
    throw new DOMException('no', name)
  }
  stubMediaDevices({ getUserMedia })
}

describe('the camera', () => {
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'mediaDevices')
  })

  it('reads a bag when two readings are equal, and is stopped with the page', async () => {
    const { track } = stubCamera([[], ['290012345670'], [awb], [awb]])
    open()
    expect(await screen.findByRole('heading', { name: t('check.receive.title') })).toBeTruthy()
    expect(screen.queryByText('290012345670')).toBeNull()
    expect(track.stop).toHaveBeenCalledTimes(1)
  })

  it('is stopped while the page is hidden, and opened again', async () => {
    const { track, mediaDevices } = stubCamera([[]])
    open()
    await screen.findByText(t('camera.aim'))
    const before = mediaDevices.getUserMedia.mock.calls.length
    const stops = track.stop.mock.calls.length
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(track.stop.mock.calls.length).toBe(stops + 1)
    visibility.mockReturnValue('visible')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(mediaDevices.getUserMedia.mock.calls.length).toBe(before + 1))
  })

  it('has a light and a choice of cameras where the device has them', async () => {
    const { track, mediaDevices } = stubCamera([[]], { torch: true, focusMode: ['continuous'] })
    const { person } = open()
    const light = await button(t('camera.light'))
    expect(track.applyConstraints).toHaveBeenCalledWith({ advanced: [{ focusMode: 'continuous' }] })
    await person.click(light)
    expect(track.applyConstraints).toHaveBeenLastCalledWith({ advanced: [{ torch: true }] })
    await waitFor(() => expect(light.getAttribute('aria-pressed')).toBe('true'))
    const choice = await screen.findByRole('combobox', { name: t('camera.choose') })
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Back', t('camera.unnamed', { number: 2 })])
    await person.selectOptions(choice, 'front')
    await waitFor(() =>
      expect(mediaDevices.getUserMedia).toHaveBeenLastCalledWith({
        video: { deviceId: { exact: 'front' }, width: { ideal: 1280 }, height: { ideal: 720 } },
      }),
    )
  })

  it('that sees another barcode says which one to scan', async () => {
    stubCamera([['RUH-42'], ['RUH-42'], []])
    open()
    expect(await screen.findByText(t('camera.wrong'))).toBeTruthy()
  })

  it.each([
    ['NotAllowedError', 'refused'],
    ['NotFoundError', 'none'],
    ['NotReadableError', 'busy'],
  ])('that fails with %s names the ways without it', async (name, key) => {
    stubBrokenCamera(name)
    const { person } = open()
    expect(await screen.findByText(t(`camera.problem.${key}`))).toBeTruthy()
    await enter(person, awb)
    expect(await screen.findByRole('heading', { name: t('check.receive.title') })).toBeTruthy()
  })
})

/** How often a picture was written, with its quality. */
const written = () =>
  vi.mocked(HTMLCanvasElement.prototype.toBlob).mock.calls.map(([, type, quality]) => [type, quality])

describe('the picture of the bag', () => {
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'mediaDevices')
  })
  const takesPhotos = { 'GET /api/config': { body: configOf({ handoverPhoto: true }) } }
  const photoPath = `PUT /api/handovers/${awb}/photo`
  const stored = { [photoPath]: { body: { success: true, booking: bookingOf({ hasPhoto: true }) } } }
  const live = () => screen.queryByText(t('photo.only'))
  const thumbnails = () =>
    [...document.querySelectorAll(`img.${handoverStyles.barPhoto}`)].map((image) => image.getAttribute('src'))

  it('is the view below the verdict at the press, small enough, and is sent after the confirmation', async () => {
    stubCamera([[]])
    stubDrawing(photoOf(200_000), photoOf(160_000), photoOf(149_000))
    const { handovers, person } = open({ ...takesPhotos, ...stored })
    await screen.findByText(t('camera.aim'))
    expect(live()).toBeNull()
    await enter(person, awb)
    const confirm = await button(t('confirm'))
    expect(live()).toBeTruthy()
    await person.click(confirm)
    await waitFor(() => expect(methods(handovers())).toEqual(['POST', 'PUT']))
    expect(written()).toEqual([
      ['image/jpeg', 0.8],
      ['image/jpeg', 0.6],
      ['image/jpeg', 0.45],
    ])
    expect(handovers()[1]?.body).toHaveLength(149_000)
    // The phone shows its own copy beside the undo.
    expect(thumbnails()).toEqual(['data:image/jpeg;base64,1'])
    await person.click(await kept().findByRole('button', { name: /^Undo/ }))
    await waitFor(() => expect(thumbnails()).toEqual([]))
  })

  it('is one for two presses, and the bag is confirmed once', async () => {
    stubCamera([[]])
    stubDrawing(photoOf())
    const { handovers, person } = open({ ...takesPhotos, ...stored })
    await screen.findByText(t('camera.aim'))
    await enter(person, awb)
    await person.dblClick(await button(t('confirm')))
    await waitFor(() => expect(methods(handovers())).toEqual(['POST', 'PUT']))
    expect(written()).toHaveLength(1)
  })

  it.each<[string, () => void]>([
    ['is absent', () => undefined],
    ['fails', () => stubBrokenCamera('NotReadableError')],
    [
      'was taken by another app, and shows an earlier bag',
      () => {
        Object.assign(stubCamera([[]]).track, { readyState: 'ended' })
        stubDrawing(photoOf())
      },
    ],
    [
      'gives no picture that is small enough',
      () => {
        stubCamera([[]])
        stubDrawing(photoOf(400_000))
      },
    ],
  ])('is missing where the camera %s: the bag is confirmed, and the page says so', async (_, stub) => {
    stub()
    const { handovers, person } = open({ ...takesPhotos, ...stored })
    await enter(person, awb)
    await person.click(await button(t('confirm')))
    await waitFor(() =>
      expect(screen.getAllByText(t('photo.missing')).map((text) => text.getAttribute('role'))).toContain(
        'status',
      ),
    )
    expect(green()?.textContent).toContain(t('photo.none'))
    await waitFor(() => expect(methods(handovers())).toEqual(['POST']))
  })

  it('is neither shown nor taken where it is turned off, also without a network', async () => {
    stubCamera([[]])
    stubDrawing(photoOf())
    localStorage.setItem('takesPhotos', 'off')
    const { handovers, person } = open({ 'GET /api/config': () => undefined })
    await screen.findByText(t('camera.aim'))
    await enter(person, awb)
    const confirm = await button(t('confirm'))
    expect(live()).toBeNull()
    await person.click(confirm)
    await waitFor(() => expect(green()).toBeTruthy())
    expect(screen.queryByText(t('photo.missing'))).toBeNull()
    await waitFor(() => expect(methods(handovers())).toEqual(['POST']))
    expect(written()).toEqual([])
  })

  it('is kept with its confirmation without a network, and both are sent', async () => {
    stubCamera([[]])
    stubDrawing(photoOf())
    localStorage.setItem('takesPhotos', 'on')
    let isDown = true
    const line = (answer: StubResponse) => () => (isDown ? undefined : answer)
    const { handovers, person } = open({
      'GET /api/config': line(takesPhotos['GET /api/config']),
      'GET /api/auth/agent': line(agent),
      [`GET /api/orders/agent/${agentId}`]: line(found(orderIn('READY'))),
      'POST /api/handovers': line(recorded),
      [photoPath]: line(stored[photoPath] as StubResponse),
    })
    await screen.findByText(t('camera.aim'))
    await enter(person, awb)
    await person.click(await button(t('keep')))
    await waitFor(() => expect(green()?.textContent).toContain(t('photo.kept')))
    await screen.findByText(t('kept.unreachable'))
    isDown = false
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(methods(handovers())).toEqual(['POST', 'PUT']))
  })
})

it('says for a second that a bag was received, or until the screen is touched', async () => {
  const { person } = open()
  await enter(person, awb)
  await person.click(await button(t('confirm')))
  await waitFor(() => expect(green()).toBeTruthy())
  expect(green()?.getAttribute('aria-hidden')).toBe('true')
  await person.pointer({ keys: '[MouseLeft]', target: green() as Element })
  expect(green()).toBeNull()
  // The server has the first one: until then the bag is kept on the device.
  await kept().findByRole('button', { name: /^Undo · / })
  act(() => scanByHand(awb))
  await person.click(await button(t('confirm')))
  await waitFor(() => expect(green()).toBeTruthy())
  await waitFor(() => expect(green()).toBeNull())
})

describe('a bag that the server refuses while the screen says that it was received', () => {
  const refused = problem(409, 'DO_NOT_ACCEPT', 'The order was cancelled.')
  const why = () => t('kept.refusal.DO_NOT_ACCEPT')

  /** The answer arrives when the screen is green. */
  function openSlow() {
    let answer = Promise.withResolvers<StubResponse>()
    const { person } = open({ 'POST /api/handovers': () => answer.promise })
    return {
      person,
      async receiveRefused() {
        answer = Promise.withResolvers()
        await enter(person, awb)
        await person.click(await button(t('confirm')))
        await waitFor(() => expect(green()?.textContent).toContain(t('kept.recorded')))
        answer.resolve(refused)
        await waitFor(() => expect(green()?.textContent).toBe(`5678${t('kept.refused')}${why()}`))
        expect(green()?.classList).toContain(receivedStyles.refused)
      },
    }
  }

  it('turns the screen red until it is touched, and screen readers hear it', async () => {
    const { person, receiveRefused } = openSlow()
    await receiveRefused()
    const said = screen.getAllByRole('status').map(({ textContent }) => textContent)
    expect(said).toContain(t('kept.refused'))
    expect(said).toContain(`5678 Aisha Bello${why()}`)
    // The bar has the cross of the list and not a tick.
    const drawn = (place: string | undefined) => document.querySelector(`.${place} path`)?.getAttribute('d')
    expect(drawn(handoverStyles.barNumber)).toBe(drawn(handoverStyles.keptState))
    await person.pointer({ keys: '[MouseLeft]', target: green() as Element })
    expect(green()).toBeNull()
  })

  it('is red until a key is pressed or the refusal is dismissed, also when it is refused again', async () => {
    const { person, receiveRefused } = openSlow()
    await receiveRefused()
    await person.keyboard('{Shift}')
    expect(green()).toBeNull()
    // The first refusal still stands: the screen is green until the server refuses the second confirmation.
    await receiveRefused()
    const [dismiss] = screen.getAllByRole('button', { name: t('kept.dismissOf', { bag: 'Aisha Bello' }) })
    fireEvent.click(dismiss as HTMLElement)
    await waitFor(() => expect(green()).toBeNull())
  })
})

it('sound and vibration are off until they are switched on', async () => {
  const { person } = open()
  const toggle = await button(t('signals'))
  expect(toggle.getAttribute('aria-pressed')).toBe('false')
  await person.click(toggle)
  expect(toggle.getAttribute('aria-pressed')).toBe('true')
  expect(localStorage.getItem('scanSignals')).toBe('on')
})

it('sound that was on before a reload is allowed by the first press on the page', async () => {
  const resume = vi.fn(async () => undefined)
  vi.stubGlobal(
    'AudioContext',
    class {
      state = 'suspended'
      resume = resume
    },
  )
  localStorage.setItem('scanSignals', 'on')
  const { person } = open()
  await button(t('signals'))
  expect(resume).not.toHaveBeenCalled()
  await person.click(field())
  expect(resume).toHaveBeenCalled()
})
