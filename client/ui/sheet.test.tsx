// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPage, textOf } from '#test/kit/render-page.tsx'
import { Sheet } from './sheet.tsx'
import { showToast } from './toast.tsx'
import { useSheet } from './use-sheet.ts'

function Opener({ name }: { readonly name: string }) {
  const sheet = useSheet(name)
  return (
    <>
      <button id={name} type="button" onClick={sheet.open}>
        Open {name}
      </button>
      {sheet.isOpen ? (
        <Sheet
          title={name}
          openerId={name}
          onClose={sheet.close}
          bottom={<button type="button">Last</button>}
        >
          <p>Content</p>
        </Sheet>
      ) : null}
    </>
  )
}

const page = (
  <>
    <Opener name="first" />
    <Opener name="second" />
  </>
)
const open = (name: string) => userEvent.click(screen.getByRole('button', { name: `Open ${name}` }))
const close = () => userEvent.click(screen.getByRole('button', { name: textOf('ui', 'close') }))

describe('a sheet', () => {
  it('is a modal dialog with a name, opened one at a time, and gives the focus back', async () => {
    const { where } = renderPage(page, { at: '/booking?a=1' })
    expect(screen.queryByRole('dialog')).toBeNull()
    await open('second')
    const dialog = screen.getByRole('dialog', { name: 'second' })
    expect(dialog).toHaveProperty('open', true)
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'second' }))
    await close()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open second' }))
    expect(where()).toBe('/booking?a=1')
  })

  it('ends at the keyboard of the phone, and takes the window back with it', async () => {
    const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: window.innerHeight })
    vi.stubGlobal('visualViewport', seen)
    renderPage(page)
    await open('first')
    const hidden = () => {
      const { style } = screen.getByRole('dialog')
      return [style.getPropertyValue('--hidden-start'), style.getPropertyValue('--hidden-end')]
    }
    const seeFrom = (offsetTop: number, height: number, scale = 1) => {
      Object.assign(seen, { offsetTop, height, scale })
      seen.dispatchEvent(new Event('resize'))
      return hidden()
    }
    expect(hidden()).toEqual(['0px', '0px'])
    expect(seeFrom(40, window.innerHeight - 340)).toEqual(['40px', '300px'])
    // Zoomed by two fingers: nothing covers it.
    expect(seeFrom(90, window.innerHeight / 2, 2)).toEqual(['0px', '0px'])
    expect(seeFrom(0, window.innerHeight)).toEqual(['0px', '0px'])
  })

  it('ends the toast about the page behind', async () => {
    renderPage(page)
    act(() => showToast('Fill in the agent'))
    await open('first')
    expect(screen.queryByText('Fill in the agent')).toBeNull()
  })

  it('shows the toast, because the page behind is inert', async () => {
    renderPage(page)
    await open('first')
    act(() => showToast('Something'))
    expect(screen.getByRole('dialog').contains(screen.getByText('Something'))).toBe(true)
  })
})
