// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { problem, renderPage, type StubbedRoute, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { PushRow } from './push-row.tsx'

const path = '/api/push/subscriptions'
const publicKey = 'B-public-key'
const t = (key: string) => textOf('push', key)
const body = { endpoint: 'https://fcm.googleapis.com/fcm/send/one', p256dh: 'B-key', auth: 'secret' }

interface Browser {
  permission: NotificationPermission
  /** The answer of the user to the browser's question. */
  answer: NotificationPermission
  subscribe: () => Promise<unknown>
}
let browser: Browser
let asked: number
let unsubscribed: number
let closed: number
/** The options of each `pushManager.subscribe`. */
let subscribed: unknown[]

beforeEach(() => {
  asked = 0
  unsubscribed = 0
  closed = 0
  subscribed = []
  const { endpoint, ...keys } = body
  const subscription = {
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      unsubscribed += 1
      return true
    },
  }
  browser = { permission: 'default', answer: 'granted', subscribe: async () => subscription }
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission
    },
    async requestPermission() {
      asked += 1
      browser.permission = browser.answer
      return browser.answer
    },
  })
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: (options: unknown) => {
      subscribed.push(options)
      return browser.subscribe()
    },
  }
  const shown = {
    close() {
      closed += 1
    },
  }
  const registration = { pushManager, getNotifications: async () => [shown] }
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** The gateway with the switch in its state. */
function open(isOn: boolean, routes: Record<string, StubbedRoute> = {}) {
  let isSubscribed = isOn
  const calls = stubGateway({
    [`GET ${path}`]: () => ({ body: { success: true, publicKey, isOn: isSubscribed } }),
    [`POST ${path}`]: () => {
      isSubscribed = true
      return { body: { success: true } }
    },
    [`DELETE ${path}`]: () => {
      isSubscribed = false
      return { body: { success: true } }
    },
    ...routes,
  })
  renderPage(<PushRow isOver={false} />)
  return calls
}
const button = (key: string) => screen.findByRole('button', { name: t(key) })

describe('notifications', () => {
  it('are turned on and off', async () => {
    const calls = open(false)
    await button('switchOn')
    // The user is asked after a press only.
    expect(asked).toBe(0)
    await userEvent.click(await button('switchOn'))
    await screen.findByText(t('on'))
    expect(calls.filter(({ method }) => method === 'POST')).toMatchObject([{ body }])
    expect(subscribed).toEqual([{ userVisibleOnly: true, applicationServerKey: publicKey }])
    // The one before, which may be of another key.
    expect(unsubscribed).toBe(1)
    await userEvent.click(await button('switchOff'))
    await screen.findByText(t('off'))
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    await waitFor(() => expect([unsubscribed, closed]).toEqual([2, 1]))
  })

  it('that the user refuses stay off, with the reason and a way', async () => {
    browser.answer = 'denied'
    const calls = open(false)
    await userEvent.click(await button('switchOn'))
    await screen.findByText(t('denied'))
    expect(screen.queryByRole('button')).toBeNull()
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('that the user neither allows nor refuses stay off', async () => {
    browser.answer = 'default'
    open(false)
    await userEvent.click(await button('switchOn'))
    expect((await screen.findByRole('alert')).textContent).toBe(t('notAllowed'))
    await button('switchOn')
  })

  it('say so when the browser cannot subscribe', async () => {
    browser.subscribe = async () => {
      throw new DOMException('Registration failed', 'AbortError')
    }
    const calls = open(false)
    await userEvent.click(await button('switchOn'))
    expect((await screen.findByRole('alert')).textContent).toBe(t('failed'))
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('say so when the browser does not answer within ten seconds', async () => {
    vi.useFakeTimers()
    const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    browser.subscribe = () => new Promise(() => {})
    open(false)
    await person.click(await button('switchOn'))
    await button('switching')
    await waitFor(() => expect(subscribed).toHaveLength(1))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect((await screen.findByRole('alert')).textContent).toBe(t('failed'))
  })

  it('show why the server refused', async () => {
    open(false, { [`POST ${path}`]: problem(422, 'PUSH_ENDPOINT_REFUSED', 'Not known') })
    await userEvent.click(await button('switchOn'))
    expect((await screen.findByRole('alert')).textContent).toBe('Not known')
    expect(screen.getByText(t('off'))).toBeTruthy()
  })

  it('count as off where the browser would show none', async () => {
    browser.permission = 'denied'
    open(true)
    await screen.findByText(t('denied'))
    expect(screen.getByText(t('off'))).toBeTruthy()
  })

  it.each([
    ['unsupported', 'Mozilla/5.0 (X11; Linux x86_64)'],
    ['homeScreen', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'],
  ])('that the browser does not offer come with a way where there is one: %s', async (key, userAgent) => {
    vi.stubGlobal('PushManager', undefined)
    Reflect.deleteProperty(window, 'PushManager')
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    open(false)
    await screen.findByText(t(key))
    expect(screen.queryByRole('button')).toBeNull()
    vi.restoreAllMocks()
  })

  it('are not mentioned where none are sent', async () => {
    const calls = open(false, { [`GET ${path}`]: { body: { success: true, publicKey: null, isOn: false } } })
    await waitFor(() => expect(calls).not.toEqual([]))
    expect(screen.queryByText(t('title'))).toBeNull()
  })
})
