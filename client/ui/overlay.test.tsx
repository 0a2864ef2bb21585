// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { BrowserRouter, Link, Navigate, Router, useLocation, useNavigate } from 'react-router-dom'
import { describe, expect, it, vi } from 'vitest'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { Overlay } from './overlay.tsx'
import { overlayEntry, useOverlayDepth, useOverlayEntries, useOverlaysEnd } from './overlay-entries.ts'
import { hideToast, showToast } from './toast.tsx'

interface OpenerProps {
  readonly name: string
  readonly kind?: 'dialog' | 'sheet'
  readonly isLocked?: boolean
  readonly onClose?: () => void
  readonly top?: ReactNode
  readonly children?: ReactNode
}

function Opener({ name, kind = 'dialog', isLocked = false, onClose, top, children }: OpenerProps) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    setIsOpen(false)
    onClose?.()
  }
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {`Open ${name}`}
      </button>
      {isOpen ? (
        <Overlay kind={kind} title={name} onClose={close} isLocked={isLocked} top={top}>
          <button type="button" data-start onClick={close}>
            {`Close ${name}`}
          </button>
          {children}
        </Overlay>
      ) : null}
    </>
  )
}

/** A page with overlays, another page, and the buttons of a browser. */
function Pages({ children }: { readonly children: ReactNode }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (
    <>
      <h1 tabIndex={-1}>{pathname}</h1>
      <p data-testid="depth">{useOverlayDepth()}</p>
      <button type="button" onClick={() => void navigate(1)}>
        Forward
      </button>
      {pathname === '/elsewhere' ? <p>Elsewhere</p> : children}
    </>
  )
}

const open = (children: ReactNode) =>
  renderPage(<Pages>{children}</Pages>, { at: '/orders/7?a=1', hasEntries: true })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const dialog = (name: string) => screen.getByRole<HTMLDialogElement>('dialog', { name })
const pressEscape = (name: string) => fireEvent(dialog(name), new Event('cancel', { cancelable: true }))
const names = () => screen.queryAllByRole('dialog').map((each) => each.querySelector('h2')?.textContent)
const reaches = (depth: number) =>
  waitFor(() => expect(screen.getByTestId('depth').textContent).toBe(String(depth)))
const focused = () => document.activeElement?.textContent

describe('an open overlay', () => {
  it('is closed by Back, which stays on the page', async () => {
    const { goBack, where } = open(<Opener name="First" />)
    await press('Open First')
    await reaches(1)
    act(goBack)
    await waitFor(() => expect(names()).toEqual([]))
    expect(where()).toBe('/orders/7?a=1')
  })

  it.each([
    ['Escape', () => pressEscape('First')],
    ['a button in it', () => press('Close First')],
  ])(
    'takes its entry of the history with it when %s closes it, and can be opened again',
    async (_, close) => {
      open(<Opener name="First" />)
      for (let times = 0; times < 2; times += 1) {
        await press('Open First')
        await reaches(1)
        await close()
        await reaches(0)
        expect(names()).toEqual([])
      }
    },
  )

  it('is closed by Back after the one that was opened from it', async () => {
    const { goBack } = open(
      <Opener name="First">
        <Opener name="Second" />
      </Opener>,
    )
    await press('Open First')
    await press('Open Second')
    await reaches(2)
    act(goBack)
    await waitFor(() => expect(names()).toEqual(['First']))
    await reaches(1)
    act(goBack)
    await waitFor(() => expect(names()).toEqual([]))
  })

  it('gives its entry to the one that takes its place', async () => {
    function Chain() {
      const [shown, setShown] = useState<string>()
      return shown === undefined ? (
        <button type="button" onClick={() => setShown('One')}>
          Begin
        </button>
      ) : (
        <Overlay key={shown} kind="sheet" title={shown} onClose={() => setShown(undefined)}>
          <button type="button" onClick={() => setShown('Two')}>
            Next
          </button>
        </Overlay>
      )
    }
    const { goBack, where } = open(<Chain />)
    await press('Begin')
    await reaches(1)
    await press('Next')
    expect(names()).toEqual(['Two'])
    expect(focused()).toBe('Two')
    await reaches(1)
    act(goBack)
    await waitFor(() => expect(names()).toEqual([]))
    expect(where()).toBe('/orders/7?a=1')
  })

  it('that is locked stays open at Escape, at the second one too, and at Back', async () => {
    const { goBack, where } = open(<Opener name="First" kind="sheet" isLocked />)
    await press('Open First')
    await reaches(1)
    const first = dialog('First')
    expect(first.getAttribute('closedby')).toBe('none')
    expect(pressEscape('First')).toBe(false)
    // Browsers without `closedby` close it all the same.
    first.close()
    fireEvent(first, new Event('close'))
    expect(first.open).toBe(true)
    act(goBack)
    await reaches(1)
    expect(names()).toEqual(['First'])
    expect(where()).toBe('/orders/7?a=1')
  })
})

describe('in the history of a browser, whose steps take a moment,', () => {
  function Frame({ children }: { readonly children: ReactNode }) {
    useOverlayEntries()
    return <Pages>{children}</Pages>
  }

  /** As loaded at an entry with this state. */
  function load(state: unknown, content = <Opener name="First" />) {
    window.history.pushState(null, '', '/orders')
    window.history.pushState({ usr: null, key: 'page' }, '', '/orders/7')
    if (state !== null) window.history.pushState({ usr: state, key: 'overlay' }, '', '/orders/7')
    render(
      <BrowserRouter useTransitions={false}>
        <Frame>{content}</Frame>
      </BrowserRouter>,
    )
  }

  it('an overlay that is opened before the entry of the last one has gone stays open', async () => {
    load(null)
    await press('Open First')
    await reaches(1)
    const hasGone = new Promise((gone) => window.addEventListener('popstate', gone, { once: true }))
    pressEscape('First')
    fireEvent.click(screen.getByRole('button', { name: 'Open First' }))
    await act(() => hasGone)
    await reaches(1)
    expect(names()).toEqual(['First'])
  })

  it('an overlay that the first page brings along is closed by Back', async () => {
    function Result() {
      const [isOpen, setIsOpen] = useState(true)
      return isOpen ? (
        <Overlay kind="full" title="Result" onClose={() => setIsOpen(false)}>
          Paid
        </Overlay>
      ) : null
    }
    load(null, <Result />)
    await reaches(1)
    act(() => window.history.back())
    await waitFor(() => expect(names()).toEqual([]))
    expect(window.location.pathname).toBe('/orders/7')
  })

  it('a page that is loaded again shows no overlay; one is opened, closed and left as before', async () => {
    load(overlayEntry)
    expect(names()).toEqual([])
    await press('Open First')
    await reaches(1)
    pressEscape('First')
    await reaches(0)
    expect(window.location.pathname).toBe('/orders/7')
  })

  it('Back leaves a page that was loaded again: the press is not lost in the entry of its overlay', async () => {
    load(overlayEntry)
    act(() => window.history.back())
    await waitFor(() => expect(window.location.pathname).toBe('/orders'))
  })
})

it('an open overlay is one entry, also when the page is rendered again before it knows the entry', async () => {
  const push = vi.fn()
  const location = { pathname: '/orders/7', search: '', hash: '', state: null, key: 'page' }
  const navigator = { createHref: () => '', go: vi.fn(), push, replace: vi.fn() }
  function Frame() {
    const [, renderAgain] = useState(0)
    useOverlayEntries()
    return (
      <>
        <Opener name="First" />
        <button type="button" onClick={() => renderAgain((times) => times + 1)}>
          Again
        </button>
      </>
    )
  }
  render(
    <Router location={location} navigator={navigator}>
      <Frame />
    </Router>,
  )
  await press('Open First')
  await press('Again')
  expect(push).toHaveBeenCalledTimes(1)
})

describe('the entry of an overlay that is not open', () => {
  it('shows the page by Forward; Back then leaves the page, and an overlay that is opened there is closed by Back', async () => {
    const { goBack, where } = renderPage(
      <Pages>
        <Opener name="First" />
        <Link to="/orders/7">Order</Link>
      </Pages>,
      { at: '/orders', hasEntries: true },
    )
    await userEvent.click(screen.getByRole('link', { name: 'Order' }))
    await press('Open First')
    await reaches(1)
    act(goBack)
    await reaches(0)
    await press('Forward')
    await reaches(1)
    expect(names()).toEqual([])
    await press('Open First')
    act(goBack)
    await waitFor(() => expect(names()).toEqual([]))
    await press('Forward')
    await reaches(1)
    act(goBack)
    await waitFor(() => expect(where()).toBe('/orders'))
  })

  it('is passed over on the way back from another page, to which a link in it has led', async () => {
    const { goBack, where } = open(
      <Opener name="First">
        <Link to="/elsewhere">Elsewhere</Link>
      </Opener>,
    )
    await press('Open First')
    await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }))
    await screen.findByText('Elsewhere')
    expect(names()).toEqual([])
    expect(focused()).toBe('/elsewhere')
    act(goBack)
    await waitFor(() => expect(where()).toBe('/orders/7?a=1'))
    await reaches(0)
    expect(names()).toEqual([])
  })

  it('goes before the page is replaced by another, so that Back does not lead to it', async () => {
    const Replaced = () => (useOverlaysEnd() ? <Navigate to="/elsewhere" replace /> : null)
    function Page() {
      const [isSignedIn, setIsSignedIn] = useState(false)
      if (isSignedIn) return <Replaced />
      return (
        <Opener name="First">
          <button type="button" onClick={() => setIsSignedIn(true)}>
            Sign in
          </button>
        </Opener>
      )
    }
    const { where } = open(<Page />)
    await press('Open First')
    await press('Sign in')
    await waitFor(() => expect(where()).toBe('/elsewhere'))
    await reaches(0)
    await press('Forward')
    expect(names()).toEqual([])
  })
})

describe('the focus', () => {
  it('starts where the content says, and returns to what opened it', async () => {
    open(<Opener name="First" />)
    await press('Open First')
    expect(focused()).toBe('Close First')
    await press('Close First')
    expect(focused()).toBe('Open First')
  })

  it('returns to a button that the browser did not focus when it was pressed, as in Safari', async () => {
    open(<Opener name="First" />)
    fireEvent.click(screen.getByRole('button', { name: 'Open First' }))
    expect(focused()).toBe('Close First')
    pressEscape('First')
    await waitFor(() => expect(focused()).toBe('Open First'))
  })

  it('is in view when the browser has brought back where the page stood before', async () => {
    const shown: (string | null)[] = []
    Element.prototype.scrollIntoView = function scrollIntoView(this: Element) {
      shown.push(this.textContent)
    }
    try {
      open(<Opener name="First" />)
      await press('Open First')
      await reaches(1)
      await press('Close First')
      await waitFor(() => expect(shown).toEqual(['Open First']))
    } finally {
      Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
    }
  })

  it('goes to the heading of the page when what opened it is gone', async () => {
    function Once() {
      const [isDone, setIsDone] = useState(false)
      return isDone ? null : <Opener name="First" onClose={() => setIsDone(true)} />
    }
    open(<Once />)
    await press('Open First')
    await press('Close First')
    await waitFor(() => expect(focused()).toBe('/orders/7'))
  })

  it('of a sheet starts at its heading, on phones without a keyboard over the list', async () => {
    open(<Opener name="First" kind="sheet" top={<input type="search" aria-label="Search" />} />)
    await press('Open First')
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'First' }))
    await press(textOf('ui', 'close'))
    await waitFor(() => expect(focused()).toBe('Open First'))
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    await press('Open First')
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  })
})

describe('a press', () => {
  it('outside closes a sheet in a browser without closedby, but not the second press of a double one', async () => {
    open(<Opener name="First" kind="sheet" />)
    await press('Open First')
    const first = dialog('First')
    // The opener lies below the dialog: the second press lands on the scrim, which is a part of the dialog.
    fireEvent.click(first)
    await waitFor(() => expect(first.hasAttribute('data-settling')).toBe(false))
    fireEvent.click(screen.getByRole('heading', { name: 'First' }))
    expect(names()).toEqual(['First'])
    fireEvent.click(first)
    expect(names()).toEqual([])
  })

  it('outside does not close a dialog', async () => {
    open(<Opener name="First" />)
    await press('Open First')
    const first = dialog('First')
    await waitFor(() => expect(first.hasAttribute('data-settling')).toBe(false))
    fireEvent.click(first)
    expect(names()).toEqual(['First'])
  })

  it('that gives up a choice of files does not close it', async () => {
    open(
      <Opener name="First">
        <input type="file" aria-label="Photo" />
      </Opener>,
    )
    await press('Open First')
    fireEvent(screen.getByLabelText('Photo'), new Event('cancel', { bubbles: true }))
    expect(names()).toEqual(['First'])
  })
})

it('a toast about the page ends when it opens; one that comes later is shown above it', async () => {
  open(<Opener name="First" />)
  act(() => showToast('About the page'))
  await press('Open First')
  expect(screen.queryByText('About the page')).toBeNull()
  act(() => showToast('About the dialog'))
  expect(dialog('First').contains(screen.getByText('About the dialog'))).toBe(true)
  act(() => hideToast())
})

it('a sheet is open before its rows are rendered', async () => {
  const isOpenFirst: (boolean | undefined)[] = []
  function Rows() {
    isOpenFirst.push(document.querySelector('dialog')?.open)
    return null
  }
  open(
    <Opener name="First" kind="sheet">
      <Rows />
    </Opener>,
  )
  await press('Open First')
  expect(isOpenFirst[0]).toBe(true)
})

it('a sheet ends at the keyboard of the phone, and takes the window back with it', async () => {
  const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: window.innerHeight })
  vi.stubGlobal('visualViewport', seen)
  open(<Opener name="First" kind="sheet" />)
  await press('Open First')
  const hidden = () => {
    const { style } = dialog('First')
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
