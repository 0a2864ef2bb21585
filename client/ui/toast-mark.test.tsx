// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { describe, expect, it } from 'vitest'
import { renderRoom, textOf } from '#test/kit/room.tsx'
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
  it('is announced, with its sentence', async () => {
    renderRoom(<Page />)
    await userEvent.click(screen.getByRole('button', { name: 'Fail' }))
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
  })

  it.each(['ar', 'en'] as const)('is put aside by a button with a name in %s', async (language) => {
    renderRoom(<Page />, { language })
    await userEvent.click(screen.getByRole('button', { name: 'Fail' }))
    const toast = await screen.findByRole('alert')
    await userEvent.click(screen.getByRole('button', { name: textOf('ui', 'dismiss') }))
    await waitFor(() => {
      // jsdom moves nothing, so nothing ever says that the toast has moved out.
      fireEvent.transitionEnd(toast)
      expect(screen.queryByText(sentence)).toBeNull()
    })
  })
})
