// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
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

  it('shows the toast, because the page behind is inert', async () => {
    renderPage(page)
    await open('first')
    act(() => showToast('Something'))
    expect(screen.getByRole('dialog').contains(screen.getByText('Something'))).toBe(true)
  })
})
