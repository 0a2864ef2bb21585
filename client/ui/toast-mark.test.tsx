// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { describe, expect, it } from 'vitest'
import { renderPage, textOf } from '#test/kit/render-page.tsx'
import { ToastMark } from './toast-mark.tsx'

const sentence = 'The partner sleeps.'

function Page() {
  const { message } = App.useApp()
  return (
    <button
      type="button"
      onClick={() => void message.error({ content: sentence, icon: <ToastMark tone="bad" />, duration: 0 })}
    >
      Fail
    </button>
  )
}

describe('a toast', () => {
  it('is announced with its text', async () => {
    renderPage(<Page />)
    await userEvent.click(screen.getByRole('button', { name: 'Fail' }))
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
  })

  it.each(['ar', 'en'] as const)('is dismissed by a button with a label in %s', async (language) => {
    renderPage(<Page />, { language })
    await userEvent.click(screen.getByRole('button', { name: 'Fail' }))
    const toast = await screen.findByRole('alert')
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'dismiss') }))
    await waitFor(() => {
      // jsdom runs no animations, so a closing toast is never removed.
      fireEvent.transitionEnd(toast)
      expect(screen.queryByText(sentence)).toBeNull()
    })
  })
})
