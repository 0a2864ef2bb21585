// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readAgentEvents } from '#shared/orders/orders.operations.ts'
import { FakeSource, stubEventSource } from '#test/kit/client/event-source.ts'
import { stubLocks } from '#test/kit/client/locks.ts'
import { useLive, useReadAgain } from './live.ts'

/** Messages between tabs, at once. */
class FakeChannel {
  onmessage?: (event: { data: unknown }) => void
  constructor() {
    channels.add(this)
  }
  postMessage(data: unknown): void {
    for (const other of channels) if (other !== this) other.onmessage?.({ data })
  }
  close(): void {
    channels.delete(this)
  }
}

let sources: readonly FakeSource[]
let channels: Set<FakeChannel>
beforeEach(() => {
  sources = stubEventSource()
  channels = new Set()
  vi.stubGlobal('BroadcastChannel', FakeChannel)
  stubLocks()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  Reflect.deleteProperty(document, 'visibilityState')
})

const open = () => sources.filter(({ readyState }) => readyState !== FakeSource.CLOSED)

function Tab({ name, agent = '5', told }: { name: string; agent?: string; told: (what: unknown) => void }) {
  const isLive = useLive(readAgentEvents, { agentId: agent }, { onOpen: () => told('open'), onEvent: told })
  return <p>{`${name} ${isLive ? 'is told' : 'asks'}`}</p>
}

/** Everything that happens by itself has happened. */
const settled = () => act(() => new Promise<void>((resolve) => setImmediate(resolve)))
const text = () => screen.getAllByText(/ /).map(({ textContent }) => textContent)

async function show(...tabs: Omit<Parameters<typeof Tab>[0], 'told'>[]) {
  const told: (readonly [string, unknown])[] = []
  const views = tabs.map((tab) =>
    render(<Tab {...tab} told={(what) => told.push([tab.name, what] as const)} />),
  )
  await settled()
  return { told, views }
}

function setVisible(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

it('tells each change, and is closed while the page is hidden and when it is left', async () => {
  const { told, views } = await show({ name: 'a' })
  expect(text()).toEqual(['a asks'])
  act(() => sources[0]?.open())
  act(() => sources[0]?.send('changed', { orderId: 7 }))
  expect(text()).toEqual(['a is told'])
  expect(told).toEqual([
    ['a', 'open'],
    ['a', { orderId: 7 }],
  ])
  expect(sources[0]?.url).toBe('/api/orders/agent/5/events?replace=1')
  setVisible('hidden')
  expect([open().length, ...text()]).toEqual([0, 'a asks'])
  setVisible('visible')
  await settled()
  expect(open()).toHaveLength(1)
  views[0]?.unmount()
  expect(open()).toHaveLength(0)
})

it('is one for all tabs that show the same, passes on, and is none of a tab that shows something else', async () => {
  const { told, views } = await show({ name: 'a' }, { name: 'b' }, { name: 'c', agent: '6' })
  expect(sources).toHaveLength(1)
  act(() => sources[0]?.open())
  act(() => sources[0]?.send('changed', { orderId: 7 }))
  expect(text()).toEqual(['a is told', 'b is told', 'c asks'])
  const late = await show({ name: 'd' })
  expect(text()).toContain('d is told')
  expect(late.told).toEqual([
    ['d', 'open'],
    ['d', { orderId: 7 }],
  ])
  views[0]?.unmount()
  expect(text()).toEqual(['b asks', 'c asks', 'd asks'])
  await settled()
  expect(open().map(({ url }) => url)).toEqual(['/api/orders/agent/5/events?replace=1'])
  act(() => open()[0]?.open())
  expect(text()).toEqual(['b is told', 'c asks', 'd is told'])
  expect(told.filter(([name]) => name === 'c')).toEqual([])
})

it('lets the page ask while it is broken, and where it is refused, and is tried again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await show({ name: 'a' })
  act(() => sources[0]?.open())
  act(() => sources[0]?.fail(false))
  expect(text()).toEqual(['a asks'])
  act(() => sources[0]?.open())
  expect(text()).toEqual(['a is told'])
  act(() => sources[0]?.fail(true))
  expect(text()).toEqual(['a asks'])
  act(() => void vi.advanceTimersByTime(60_000))
  expect(sources).toHaveLength(2)
  act(() => sources[1]?.open())
  expect(text()).toEqual(['a is told'])
})

it('is none where the browser has no streams', async () => {
  Reflect.deleteProperty(globalThis, 'EventSource')
  await show({ name: 'a' })
  expect(text()).toEqual(['a asks'])
})

/** A page that reads again after notices. `answer` ends the reading that is under way. */
function openReader(everyMs?: number) {
  vi.useFakeTimers()
  const readings: PromiseWithResolvers<void>[] = []
  let notice = () => {}
  function Reader() {
    notice = useReadAgain(() => {
      const reading = Promise.withResolvers<void>()
      readings.push(reading)
      return reading.promise
    }, everyMs)
    return null
  }
  const { unmount } = render(<Reader />)
  return {
    count: () => readings.length,
    notice: () => notice(),
    answer: () => readings.at(-1)?.resolve(),
    fail: () => readings.at(-1)?.reject(new Error('no answer')),
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    unmount,
  }
}

it('reads once more where the reading after a notice failed, unless the page was left', async () => {
  const { count, notice, answer, fail, pass, unmount } = openReader()
  notice()
  await pass(300)
  fail()
  await pass(9_000)
  expect(count()).toBe(1)
  await pass(1_100)
  expect(count()).toBe(2)
  answer()
  await pass(20_000)
  expect(count()).toBe(2)
  notice()
  await pass(300)
  unmount()
  fail()
  await pass(20_000)
  expect(count()).toBe(3)
})

it('reads at most twice after twenty notices in a burst: at once, and once more for those that came meanwhile', async () => {
  const { count, notice, answer, pass } = openReader()
  for (let notices = 0; notices < 10; notices += 1) notice()
  await pass(300)
  expect(count()).toBe(1)
  for (let notices = 0; notices < 10; notices += 1) notice()
  await pass(10_000)
  expect(count()).toBe(1)
  answer()
  await pass(300)
  expect(count()).toBe(2)
  answer()
  await pass(10_000)
  expect(count()).toBe(2)
})

it('reads after a random part of 300 ms, so that those who are told together do not ask together', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { count, notice, pass } = openReader()
  notice()
  await pass(149)
  expect(count()).toBe(0)
  await pass(1)
  expect(count()).toBe(1)
  random.mockRestore()
})

it('does not read while the page is hidden: its stream begins with a notice when it is visible again', async () => {
  const { count, notice, answer, pass } = openReader(2_500)
  notice()
  setVisible('hidden')
  await pass(10_000)
  expect(count()).toBe(0)
  setVisible('visible')
  notice()
  await pass(300)
  expect(count()).toBe(1)
  answer()
})

it('reads no more often than it may, as soon after the clock was set back, and not once the page is left', async () => {
  const { count, notice, answer, pass, unmount } = openReader(2_500)
  notice()
  await pass(300)
  answer()
  notice()
  await pass(2_199)
  expect(count()).toBe(1)
  await pass(301)
  expect(count()).toBe(2)
  answer()
  vi.setSystemTime(Date.now() - 3_600_000)
  notice()
  await pass(2_500)
  expect(count()).toBe(3)
  answer()
  notice()
  unmount()
  await pass(10_000)
  expect(count()).toBe(3)
})
