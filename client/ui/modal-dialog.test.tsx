// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPage } from '#test/kit/render-page.tsx'
import { ModalDialog } from './modal-dialog.tsx'
import { hideToast, showToast } from './toast.tsx'

function open({ isLight = false } = {}) {
  const onClose = vi.fn()
  renderPage(
    <>
      <button type="button">Behind</button>
      <ModalDialog className="" titled={{ as: 'Over the page' }} onClose={onClose} isLight={isLight}>
        <input aria-label="First" />
        <button type="button" tabIndex={-1}>
          Never a stop
        </button>
        <button type="button">Last</button>
      </ModalDialog>
    </>,
  )
  return { onClose, person: userEvent.setup() }
}

const first = () => screen.getByRole('textbox', { name: 'First' })
const last = () => screen.getByRole('button', { name: 'Last' })

describe('a modal dialog', () => {
  it('has a name', () => {
    open()
    expect(screen.getByRole('dialog', { name: 'Over the page' })).toBeTruthy()
  })

  it('leaves it to its owner whether Escape closes it', () => {
    const { onClose } = open()
    const isDone = fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
    expect(isDone).toBe(false)
    expect(onClose).toHaveBeenCalledTimes(1)
    expect(screen.getByRole('dialog')).toBeTruthy()
  })

  it.each([
    [true, 1],
    [false, 0],
  ])(
    'that a press outside closes (%s) is closed by it in a browser without closedby',
    async (isLight, times) => {
      const { onClose } = open({ isLight })
      const dialog = screen.getByRole('dialog')
      // The second press of a double one on what opened it: it lands on the dialog element, as one on the scrim does.
      fireEvent.click(dialog)
      await waitFor(() => expect(dialog.hasAttribute('data-settling')).toBe(false))
      fireEvent.click(first())
      expect(onClose).toHaveBeenCalledTimes(0)
      // The scrim is a part of the dialog element.
      fireEvent.click(dialog)
      expect(onClose).toHaveBeenCalledTimes(times)
    },
  )

  it('keeps the focus inside, in both directions', async () => {
    const { person } = open()
    act(() => last().focus())
    await person.tab()
    expect(document.activeElement).toBe(first())
    await person.tab({ shift: true })
    expect(document.activeElement).toBe(last())
  })

  it('shows a toast above itself, because the page behind it is not announced', () => {
    open()
    act(() => showToast('The partner sleeps.'))
    expect(screen.getByRole('dialog').textContent).toContain('The partner sleeps.')
    expect(screen.getAllByText('The partner sleeps.')).toHaveLength(1)
    act(() => hideToast())
  })
})
