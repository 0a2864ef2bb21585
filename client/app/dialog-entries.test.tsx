// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { Dialog } from '#client/ui/dialog.tsx'
import { useClosedDialogs, useDialogDepth } from '#client/ui/use-dialog-entry.ts'
import { renderPage } from '#test/kit/render-page.tsx'
import { Redirect } from './documents.tsx'

/** A page with a dialog that another one can be opened from, in the frame of all pages. */
function Pages({ isLocked }: { readonly isLocked: boolean }) {
  useClosedDialogs()
  const navigate = useNavigate()
  const [isSignedIn, setIsSignedIn] = useState(false)
  return (
    <>
      <p data-testid="depth">{useDialogDepth()}</p>
      <button type="button" onClick={() => void navigate(1)}>
        Forward
      </button>
      {isSignedIn ? (
        <Redirect to="/booking" />
      ) : (
        <Opener name="First" isLocked={isLocked}>
          <Opener name="Second" isLocked={false}>
            <Link to="/elsewhere">Elsewhere</Link>
          </Opener>
          <button type="button" onClick={() => setIsSignedIn(true)}>
            Sign in
          </button>
        </Opener>
      )}
    </>
  )
}

interface OpenerProps {
  readonly name: string
  readonly isLocked: boolean
  readonly children: ReactNode
}

function Opener({ name, isLocked, children }: OpenerProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {`Open ${name}`}
      </button>
      {isOpen ? (
        <Dialog title={name} onClose={() => setIsOpen(false)} isLocked={isLocked}>
          {children}
        </Dialog>
      ) : null}
    </>
  )
}

function open({ isLocked = false } = {}) {
  return renderPage(<Pages isLocked={isLocked} />, { at: '/orders/7?a=1' })
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const pressEscape = (name: string) =>
  fireEvent(screen.getByRole('dialog', { name }), new Event('cancel', { cancelable: true }))
const dialogs = () => screen.queryAllByRole('dialog').map((dialog) => dialog.textContent)
const depth = () => screen.getByTestId('depth').textContent
const reaches = (expected: string) => waitFor(() => expect(depth()).toBe(expected))

describe('an open dialog', () => {
  it('is closed by Back, which stays on the page, and Forward shows the page', async () => {
    const { goBack, where } = open()
    await press('Open First')
    await reaches('1')
    act(goBack)
    await waitFor(() => expect(dialogs()).toEqual([]))
    await press('Forward')
    expect(dialogs()).toEqual([])
    expect(where()).toBe('/orders/7?a=1')
    // Opened in the entry that Forward has reached.
    await press('Open First')
    act(goBack)
    await waitFor(() => expect(dialogs()).toEqual([]))
  })

  it('leaves no entry behind when it is closed otherwise, and can be opened again', async () => {
    open()
    for (const _ of [1, 2]) {
      await press('Open First')
      await reaches('1')
      pressEscape('First')
      await reaches('0')
      expect(dialogs()).toEqual([])
    }
  })

  it('is closed by Back after the one that was opened from it', async () => {
    const { goBack } = open()
    await press('Open First')
    await press('Open Second')
    await reaches('2')
    act(goBack)
    await reaches('1')
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    act(goBack)
    await waitFor(() => expect(dialogs()).toEqual([]))
  })

  it('stays open at Back while it is locked', async () => {
    const { goBack, where } = open({ isLocked: true })
    await press('Open First')
    await reaches('1')
    act(goBack)
    await reaches('1')
    pressEscape('First')
    expect(dialogs()).toHaveLength(1)
    expect(where()).toBe('/orders/7?a=1')
  })

  it('gives its entry away before the page is left for another, so that Back does not return to it', async () => {
    const { where } = open()
    await press('Open First')
    await press('Sign in')
    await waitFor(() => expect(where()).toBe('/booking'))
    expect(depth()).toBe('0')
    await press('Forward')
    await waitFor(() => expect(dialogs()).toEqual([]))
  })
})
