// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderRoom } from '#test/kit/room.tsx'
import { BookingProvider, useBooking } from './booking.state.tsx'

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

it('keeps the draft over a reload', async () => {
  const { unmount } = renderRoom(booking)
  expect(chosen()).toBe('null')
  await userEvent.click(screen.getByRole('button'))
  unmount()
  renderRoom(booking)
  expect(chosen()).toBe('A1')
})

it('starts afresh from a kept text that is none of ours', () => {
  sessionStorage.setItem('booking', '{"draft":"?"}')
  renderRoom(booking)
  expect(chosen()).toBe('null')
})

it('does without storage where the browser refuses it', async () => {
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
  renderRoom(booking)
  await userEvent.click(screen.getByRole('button'))
  expect(chosen()).toBe('A1')
})
