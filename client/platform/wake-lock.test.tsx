// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { useWakeLock } from './wake-lock.ts'

function Lit() {
  return <p>{useWakeLock() ? 'lit' : 'not lit'}</p>
}

class FakeLock extends EventTarget {
  readonly release = vi.fn(async () => {
    this.dispatchEvent(new Event('release'))
  })
}

function withWakeLock(request: () => Promise<FakeLock>) {
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true })
}

function setVisible(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

afterEach(() => {
  Reflect.deleteProperty(navigator, 'wakeLock')
  Reflect.deleteProperty(document, 'visibilityState')
})

it('keeps the screen on, again after the page was hidden, until it is unmounted', async () => {
  const locks: FakeLock[] = []
  withWakeLock(async () => {
    const lock = new FakeLock()
    locks.push(lock)
    return lock
  })
  const { unmount } = render(<Lit />)
  expect(await screen.findByText('lit')).toBeTruthy()

  // The browser ends the lock of a hidden page.
  act(() => {
    setVisible('hidden')
    locks[0]?.dispatchEvent(new Event('release'))
  })
  expect(screen.getByText('not lit')).toBeTruthy()
  expect(locks).toHaveLength(1)
  act(() => setVisible('visible'))
  expect(await screen.findByText('lit')).toBeTruthy()
  expect(locks).toHaveLength(2)

  unmount()
  expect(locks[1]?.release).toHaveBeenCalledOnce()
  setVisible('visible')
  expect(locks).toHaveLength(2)
})

it('does not keep it on for a page that was hidden between its rendering and its effects', async () => {
  const lock = new FakeLock()
  withWakeLock(async () => lock)
  function Hidden() {
    useLayoutEffect(() => setVisible('hidden'), [])
    return <Lit />
  }
  const { unmount } = render(<Hidden />)
  await vi.waitFor(() => expect(lock.release).toHaveBeenCalledOnce())
  expect(screen.getByText('not lit')).toBeTruthy()
  unmount()
})

it('is silent where it is refused or not supported', async () => {
  const request = vi.fn(async () => {
    throw new DOMException('battery', 'NotAllowedError')
  })
  withWakeLock(request)
  const { unmount } = render(<Lit />)
  await vi.waitFor(() => expect(request).toHaveBeenCalled())
  expect(screen.getByText('not lit')).toBeTruthy()
  unmount()
  Reflect.deleteProperty(navigator, 'wakeLock')
  render(<Lit />)
  expect(screen.getByText('not lit')).toBeTruthy()
})
