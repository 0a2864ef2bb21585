// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallProblem } from '#client/platform/call.ts'
import { renderRoom, textOf } from '#test/kit/room.tsx'
import { EmptyState } from './empty-state.tsx'
import { FailureState } from './failure-state.tsx'
import { JourneySteps } from './journey-steps.tsx'
import { Loading, spinnerAfterMs } from './loading.tsx'

afterEach(() => {
  vi.useRealTimers()
})

describe('a failure', () => {
  it('says what the server said and offers another try', async () => {
    const onRetry = vi.fn()
    const problem = new CallProblem({ code: 'X', status: 503, message: 'The partner sleeps.' })
    renderRoom(<FailureState problem={problem} title="Failed" onRetry={onRetry} />)
    expect(screen.getByRole('alert').textContent).toContain('The partner sleeps.')
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    expect(onRetry).toHaveBeenCalledTimes(1)
  })

  it('never shows the words of a bug', () => {
    renderRoom(<FailureState problem={new TypeError('x is not a function')} onRetry={() => undefined} />)
    expect(screen.getByRole('alert').textContent).toContain(textOf('platform', 'unexpected'))
    expect(screen.queryByText(/is not a function/)).toBeNull()
  })
})

describe('the other states', () => {
  it('announce waiting, with the label given, only when it lasts longer than 300 ms', () => {
    vi.useFakeTimers()
    renderRoom(<Loading label="Looking…" />)
    const region = screen.getByRole('status')
    act(() => void vi.advanceTimersByTime(spinnerAfterMs - 1))
    expect(region.childElementCount).toBe(0)
    act(() => void vi.advanceTimersByTime(1))
    expect(region.textContent).toBe('Looking…')
    expect(spinnerAfterMs).toBe(300)
  })

  it('offer a next step where there is nothing', () => {
    renderRoom(<EmptyState title="No orders found." action={<a href="/booking">Book</a>} />)
    expect(screen.getByText('No orders found.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Book' })).toBeTruthy()
  })
})

describe('the spine of the journey', () => {
  it('marks where a person is and says which steps are done', () => {
    renderRoom(<JourneySteps current="pay" />)
    const steps = screen.getAllByRole('listitem')
    expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual([null, null, 'step', null])
    const done = steps.filter((step) => step.textContent?.includes(textOf('ui', 'journey.done')))
    expect(done).toHaveLength(2)
  })
})
