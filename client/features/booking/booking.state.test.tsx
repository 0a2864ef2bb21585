// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '#test/kit/client/render-page.tsx'
import { BookingProvider, useBooking } from './booking.state.tsx'

/** Shows the stored state at the moment when `dispatch` returns. */
function Ordering({ onStored }: { onStored: (text: string | null) => void }) {
  const { dispatch } = useBooking()
  const order = () => {
    dispatch({ type: 'ordering', key: 'key-of-the-order' })
    onStored(sessionStorage.getItem('booking'))
  }
  return <button type="button" onClick={order} />
}

function Chooser() {
  const { state, dispatch } = useBooking()
  return (
    <button type="button" onClick={() => dispatch({ type: 'changed', change: { agentCode: 'A1' } })}>
      {String(state.draft.agentCode)}
    </button>
  )
}

const booking = (
  <BookingProvider>
    <Chooser />
  </BookingProvider>
)
const chosen = () => screen.getByRole('button').textContent

beforeEach(() => {
  sessionStorage.clear()
})

it('keeps the draft across a reload', async () => {
  const { unmount } = renderPage(booking)
  expect(chosen()).toBe('null')
  await userEvent.click(screen.getByRole('button'))
  unmount()
  renderPage(booking)
  expect(chosen()).toBe('A1')
})

it('stores the key of an order before the request that follows', async () => {
  const onStored = vi.fn()
  renderPage(
    <BookingProvider>
      <Ordering onStored={onStored} />
    </BookingProvider>,
  )
  await userEvent.click(screen.getByRole('button'))
  expect(onStored).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('key-of-the-order'))
})

it('starts with an empty draft from an invalid stored text', () => {
  sessionStorage.setItem('booking', '{"draft":"?"}')
  renderPage(booking)
  expect(chosen()).toBe('null')
})

it('works without storage when the browser blocks it', async () => {
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
  renderPage(booking)
  await userEvent.click(screen.getByRole('button'))
  expect(chosen()).toBe('A1')
})
