// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { renderPage } from '#test/kit/render-page.tsx'
import { ModalDialog } from './modal-dialog.tsx'
import { hideToast, showToast } from './toast.tsx'

function Legend({ children }: { readonly children: string }) {
  return <h3 tabIndex={-1}>{children}</h3>
}

function Summary() {
  return (
    <details>
      <summary aria-label="Other end">More</summary>
    </details>
  )
}

interface Content {
  readonly isLight?: boolean
  readonly isLocked?: boolean
  readonly start?: ReactNode
  readonly end?: ReactNode
}

function open({ isLight = false, isLocked = false, start, end }: Content = {}) {
  const onClose = vi.fn()
  renderPage(
    <>
      <button type="button">Behind</button>
      <ModalDialog
        className=""
        titled={{ as: 'Over the page' }}
        onClose={onClose}
        isLight={isLight}
        isLocked={isLocked}
      >
        {start}
        <input aria-label="First" />
        <button type="button" tabIndex={-1}>
          Never a stop
        </button>
        <button type="button">Last</button>
        {end}
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

  it.each([
    ['select', <select key="last" aria-label="Other end" />],
    ['textarea', <textarea key="last" aria-label="Other end" />],
    ['summary', <Summary key="last" />],
  ])('knows a %s as the last stop', async (_, end) => {
    const { person } = open({ end })
    const other = screen.getByLabelText('Other end')
    act(() => first().focus())
    await person.tab({ shift: true })
    expect(document.activeElement).toBe(other)
    await person.tab()
    expect(document.activeElement).toBe(first())
  })

  it('leads from a focused part that is no stop to the stop before it, and from the first one to the last', async () => {
    const { person } = open({ start: <Legend>Before</Legend>, end: <Legend>After</Legend> })
    act(() => screen.getByText('After').focus())
    await person.tab({ shift: true })
    expect(document.activeElement).toBe(last())
    act(() => screen.getByText('Before').focus())
    await person.tab({ shift: true })
    expect(document.activeElement).toBe(last())
    act(() => screen.getByText('After').focus())
    await person.tab()
    expect(document.activeElement).toBe(first())
  })

  it('that is locked stays open, also in a browser that closes it at a second Escape', () => {
    const { onClose } = open({ isLocked: true, isLight: true })
    const dialog = screen.getByRole<HTMLDialogElement>('dialog')
    expect(dialog.getAttribute('closedby')).toBe('none')
    expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false)
    dialog.close()
    fireEvent(dialog, new Event('close'))
    expect(dialog.open).toBe(true)
    expect(onClose).not.toHaveBeenCalled()
  })

  it('shows a toast above itself, because the page behind it is not announced', () => {
    open()
    act(() => showToast('The partner sleeps.'))
    expect(screen.getByRole('dialog').textContent).toContain('The partner sleeps.')
    expect(screen.getAllByText('The partner sleeps.')).toHaveLength(1)
    act(() => hideToast())
  })
})
