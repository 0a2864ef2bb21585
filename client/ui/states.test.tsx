// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallProblem } from '#client/platform/call.ts'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { EmptyState } from './empty-state.tsx'
import { FailureState } from './failure-state.tsx'
import { JourneySteps } from './journey-steps.tsx'
import { Loading, spinnerAfterMs } from './loading.tsx'
import { FailingScene, OfflineScene } from './scene.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a failure', () => {
  it('shows the server’s message and offers a retry', async () => {
    const onRetry = vi.fn()
    const problem = new CallProblem({ code: 'X', status: 503, message: 'The partner sleeps.' })
    renderPage(<FailureState problem={problem} title="Failed" onRetry={onRetry} />)
    expect(screen.getByRole('alert').textContent).toContain('The partner sleeps.')
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    expect(onRetry).toHaveBeenCalledTimes(1)
  })

  it('shows the broken thread while the browser is offline, and the tangled one otherwise', () => {
    const picture = () => document.querySelector('svg')
    const drawn = (scene: ReactNode) =>
      document.createRange().createContextualFragment(renderToStaticMarkup(scene)).firstChild
    const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    renderPage(<FailureState problem="No network." onRetry={() => undefined} />)
    expect(picture()).toEqual(drawn(<OfflineScene />))
    isOnline.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(picture()).toEqual(drawn(<FailingScene />))
  })

  it('never shows the message of an unexpected error', () => {
    renderPage(<FailureState problem={new TypeError('x is not a function')} onRetry={() => undefined} />)
    expect(screen.getByRole('alert').textContent).toContain(textOf('platform', 'unexpected'))
    expect(screen.queryByText(/is not a function/)).toBeNull()
  })
})

describe('the other states', () => {
  it('announce loading, with the given label, only after 300 ms', () => {
    vi.useFakeTimers()
    renderPage(<Loading label="Looking…" />)
    const region = screen.getByRole('status')
    act(() => void vi.advanceTimersByTime(spinnerAfterMs - 1))
    expect(region.childElementCount).toBe(0)
    act(() => void vi.advanceTimersByTime(1))
    expect(region.textContent).toBe('Looking…')
    expect(spinnerAfterMs).toBe(300)
  })

  it('announce loading also where the outline of what comes is shown', () => {
    vi.useFakeTimers()
    renderPage(<Loading label="Looking…" outline="orders" />)
    expect(screen.getByRole('status').textContent).toBe('')
    act(() => void vi.advanceTimersByTime(spinnerAfterMs))
    expect(screen.getByRole('status').textContent).toBe('Looking…')
  })

  it('offer a next step when empty', () => {
    renderPage(<EmptyState title="No orders found." action={<a href="/booking">Book</a>} />)
    expect(screen.getByText('No orders found.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Book' })).toBeTruthy()
    expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual([
      'No orders found.',
    ])
  })

  it('show a text below the title', () => {
    renderPage(<EmptyState title="No orders found." text="They appear here." />)
    expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual([
      'No orders found.',
      'They appear here.',
    ])
  })
})

describe('the journey steps', () => {
  it('mark the current step and the steps done', () => {
    renderPage(<JourneySteps current="pay" />)
    const steps = screen.getAllByRole('listitem')
    expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual([null, null, 'step', null])
    const done = steps.filter((step) => step.textContent?.includes(textOf('ui', 'journey.done')))
    expect(done).toEqual(steps.slice(0, 2))
    // The knots of the thread carry no numbers.
    expect(steps.map((step) => step.firstChild?.textContent)).toEqual(['', '', '', ''])
  })
})
