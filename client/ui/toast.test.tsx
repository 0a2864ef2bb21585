// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { setLanguage } from '#client/platform/i18n.ts'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { hideToast, showToast, ToastRegion, toastDurationMs } from './toast.tsx'

const sentence = 'The partner sleeps.'

afterEach(() => {
  vi.useRealTimers()
  hideToast()
})

const show = (...toast: Parameters<typeof showToast>) => act(() => showToast(...toast))

describe('a toast', () => {
  it('of a mistake is one alert with its text alone', () => {
    renderPage(null)
    show(sentence)
    expect(screen.getByRole('alert').textContent).toBe(sentence)
    expect(screen.getAllByText(sentence)).toHaveLength(1)
  })

  it('of a success is announced by a polite region that was there before', () => {
    const { container } = renderPage(null)
    const region = container.querySelector('[aria-live="polite"]')
    show(sentence, { tone: 'good' })
    expect(region?.textContent).toBe(sentence)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each(['good', 'bad'] as const)('of tone %s is shown and not announced where a field says it', (tone) => {
    const { container } = renderPage(null)
    show(sentence, { tone, isAnnounced: false })
    expect(screen.getByText(sentence).closest('[role="alert"], [aria-live]')).toBeNull()
    expect(container.textContent).toBe(sentence)
  })

  it('replaces the one before it, and is announced again with the same text', () => {
    renderPage(null)
    show('Earlier')
    show(sentence)
    expect(screen.queryByText('Earlier')).toBeNull()
    const before = screen.getByRole('alert')
    show(sentence)
    expect(screen.getByRole('alert')).not.toBe(before)
  })

  it.each(['ar', 'en'] as const)('is dismissed by a button with a label in %s', async (language) => {
    renderPage(null, { language })
    show(sentence)
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'dismiss') }))
    expect(screen.queryByText(sentence)).toBeNull()
  })

  it('ends with the next keystroke', async () => {
    renderPage(<input />)
    show(sentence)
    await userEvent.type(screen.getByRole('textbox'), '0')
    expect(screen.queryByText(sentence)).toBeNull()
  })

  it('ends with another language', () => {
    renderPage(null, { language: 'en' })
    show(sentence)
    act(() => void setLanguage('ar'))
    expect(screen.queryByText(sentence)).toBeNull()
  })

  it('ends with another page, which may show its own when it appears', async () => {
    function Next() {
      const navigate = useNavigate()
      return (
        <button
          type="button"
          onClick={() => {
            void navigate('/next')
          }}
        >
          Next
        </button>
      )
    }
    renderPage(<Next />)
    show(sentence)
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    expect(screen.queryByText(sentence)).toBeNull()

    function Own() {
      useEffect(() => showToast('Own'), [])
      return null
    }
    renderPage(<Own />, { at: '/own' })
    expect(screen.getByRole('alert').textContent).toBe('Own')
  })

  it('ends after some seconds, unless the pointer or the focus is on it', () => {
    vi.useFakeTimers()
    renderPage(null)
    show(sentence)
    const toast = screen.getByRole('alert').parentElement as HTMLElement
    fireEvent.pointerEnter(toast)
    act(() => vi.advanceTimersByTime(2 * toastDurationMs))
    expect(screen.getByText(sentence)).toBeTruthy()
    fireEvent.pointerLeave(toast)
    act(() => vi.advanceTimersByTime(toastDurationMs - 1))
    expect(screen.getByText(sentence)).toBeTruthy()
    act(() => vi.advanceTimersByTime(1))
    expect(screen.queryByText(sentence)).toBeNull()
  })

  it('is shown once, in the dialog over the page, while one is open', () => {
    const dialog = (
      <div role="dialog">
        <ToastRegion />
      </div>
    )
    const { rerender } = renderPage(dialog)
    show(sentence)
    expect(screen.getAllByText(sentence)).toHaveLength(1)
    expect(screen.getByRole('dialog').textContent).toBe(sentence)
    rerender(null)
    expect(screen.getAllByText(sentence)).toHaveLength(1)
  })
})
