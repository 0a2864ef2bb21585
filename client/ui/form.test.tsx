// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CallProblem } from '#client/platform/call.ts'
import { setLanguage, useTranslation } from '#client/platform/i18n.ts'
import { isBusy, renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { Button } from './button.tsx'
import { focusPlace } from './focus.ts'
import { Form, TextField, useForm, useFormInPlace } from './form.tsx'
import { Page } from './page.tsx'
import { Problem } from './problem.tsx'

/*
 * A form with the texts of names: its first field is required and at most 80 letters long, its second one is the server's alone.
 */

type Values = Readonly<Record<'name' | 'city', string>>
type Send = (values: Values, key: string) => Promise<unknown>

interface SampleProps {
  readonly send: Send
  readonly load?: () => Promise<unknown>
  readonly onRefused?: (message: string, isRead: boolean) => void
  readonly onEnd?: () => void
  readonly isOpened?: boolean
}

function Sample({ send, load, onRefused, onEnd, isOpened = true }: SampleProps) {
  const { t } = useTranslation('sessions')
  const form = useForm({
    values: { name: '', city: '' },
    draft: 'sample',
    limits: ({ name }) => ({ name: name.length > 80 ? t('errors.NAME_TOO_LONG', { limit: 80 }) : undefined }),
    check: ({ name }) => ({ name: name === '' ? t('errors.NAME_REQUIRED') : undefined }),
    serverNames: { city: 'address.city' },
    send: (values, keyOf) => send(values, keyOf(values)),
    ...(load && { load }),
    ...(onRefused && { onRefused }),
    ...(onEnd && { onSent: onEnd }),
  })
  return (
    <Form
      form={form}
      isOpened={isOpened}
      onCancel={() => {
        form.reset()
        onEnd?.()
      }}
    >
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="city" label="City" />
      <Problem error={form.problem} />
      <Button type="submit" isBusy={form.isSending}>
        {form.isSending ? 'Sending' : 'Send'}
      </Button>
      {form.isSent ? <p>Sent</p> : null}
    </Form>
  )
}

function InPlace({ send, onOpen }: { readonly send: Send; readonly onOpen: (isOpen: boolean) => void }) {
  const { isOpen, isPressed, news, open, close } = useFormInPlace('sample', onOpen)
  return (
    <div ref={focusPlace}>
      <a href="/other">Other</a>
      {isOpen ? (
        <Sample send={send} isOpened={isPressed} onEnd={() => close('Saved')} />
      ) : (
        <Button data-start onClick={open}>
          Change
        </Button>
      )}
      <p role="status">{news}</p>
    </div>
  )
}

const show = (props: Partial<SampleProps> = {}) => {
  const send = props.send ?? vi.fn<Send>().mockResolvedValue(undefined)
  renderPage(
    <Page title="Title">
      <Sample {...props} send={send} />
    </Page>,
  )
  return { send }
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const button = () => screen.getByRole('button', { name: /^Send/ })
const faultOf = (name: string) =>
  document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent
const lost = () =>
  new CallProblem({ code: 'UNREACHABLE', status: 0, message: textOf('platform', 'unreachable') })
/** Notes the keys of requests whose answers are lost. */
const losing =
  (keys: string[]): Send =>
  (_, key) => {
    keys.push(key)
    return Promise.reject(lost())
  }
const refusal = (...fields: { field: string; message: string }[]) =>
  new CallProblem({ code: 'REFUSED', status: 422, message: 'Not like this.', fields })

beforeEach(() => window.sessionStorage.clear())

describe('the check', () => {
  it('stops the request, shows the fault at its field, focuses it and marks the title of the page', async () => {
    const onRefused = vi.fn()
    const { send } = show({ onRefused })
    field('City').focus()
    await userEvent.click(button())
    expect(faultOf('Name')).toBe(textOf('sessions', 'errors.NAME_REQUIRED'))
    expect(document.activeElement).toBe(field('Name'))
    expect(document.title).toMatch(/^Error: Title/)
    expect(onRefused).toHaveBeenLastCalledWith(textOf('sessions', 'errors.NAME_REQUIRED'), true)
    expect(send).not.toHaveBeenCalled()
    await userEvent.keyboard('{Enter}')
    // The field had the focus already, so the focus does not move and a screen reader announces nothing.
    expect(onRefused).toHaveBeenLastCalledWith(textOf('sessions', 'errors.NAME_REQUIRED'), false)
    await userEvent.type(field('Name'), 'A')
    expect(faultOf('Name')).toBeUndefined()
    expect(document.title).toMatch(/^Title/)
  })

  it('keeps to the language on screen, and so does what was typed', async () => {
    show()
    await userEvent.type(field('City'), 'Jeddah{Enter}')
    void setLanguage('ar')
    await waitFor(() => expect(faultOf('Name')).toBe(textOf('sessions', 'errors.NAME_REQUIRED')))
    expect(field('City').value).toBe('Jeddah')
  })

  it('says at once that a text is too long', async () => {
    const { send } = show()
    await userEvent.click(field('Name'))
    await userEvent.paste('x'.repeat(81))
    expect(field('Name').getAttribute('aria-invalid')).toBe('true')
    await userEvent.keyboard('{Enter}')
    expect(send).not.toHaveBeenCalled()
  })

  it('runs again once what it needs is loaded, and a failure to load it is shown', async () => {
    const load = vi.fn().mockRejectedValueOnce(lost()).mockResolvedValue(undefined)
    const { send } = show({ load })
    await userEvent.type(field('Name'), 'Amina{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe(textOf('platform', 'unreachable'))
    expect(send).not.toHaveBeenCalled()
    await userEvent.click(button())
    await screen.findByText('Sent')
  })
})

describe('the server', () => {
  it('refuses a field: the fault is at the field, by the name that the server gives it', async () => {
    const at = { field: 'address.city', message: 'No such city.' }
    show({ send: vi.fn<Send>().mockRejectedValue(refusal(at)) })
    await userEvent.type(field('Name'), 'Amina{Enter}')
    await waitFor(() => expect(faultOf('City')).toBe('No such city.'))
    expect(document.activeElement).toBe(field('City'))
    expect(screen.queryByRole('alert')).toBeNull()
    await userEvent.type(field('City'), 'J')
    expect(field('City').getAttribute('aria-invalid')).toBeNull()
  })

  it('refuses the whole: that is said beside the button until something is typed', async () => {
    show({ send: vi.fn<Send>().mockRejectedValue(refusal({ field: 'other', message: 'Elsewhere.' })) })
    await userEvent.type(field('Name'), 'Amina{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('Not like this.')
    await userEvent.type(field('Name'), 'h')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('sending', () => {
  it('happens once, however often it is pressed before the answer', async () => {
    const answer = Promise.withResolvers<void>()
    const { send } = show({ send: vi.fn<Send>().mockReturnValue(answer.promise) })
    await userEvent.type(field('Name'), 'Amina')
    for (let press = 0; press < 3; press++) fireEvent.click(button())
    await screen.findByText('Sending')
    expect(isBusy(button())).toBe(true)
    fireEvent.submit(button().closest('form') as HTMLFormElement)
    answer.resolve()
    await screen.findByText('Sent')
    expect(send).toHaveBeenCalledOnce()
  })

  it('whose answer is lost says so, and is sent again under the same key; another content has another key', async () => {
    const keys: string[] = []
    show({ send: losing(keys) })
    await userEvent.type(field('Name'), 'Amina{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe(textOf('platform', 'unreachable'))
    await userEvent.click(button())
    await waitFor(() => expect(keys).toHaveLength(2))
    await userEvent.type(field('Name'), 'h{Enter}')
    await waitFor(() => expect(keys).toHaveLength(3))
    expect([keys[1], keys[2]]).toEqual([keys[0], expect.not.stringMatching(`^${keys[0]}$`)])
  })

  it('that succeeded is over: the same content again has another key', async () => {
    const keys: string[] = []
    show({ send: async (_, key) => keys.push(key) })
    await userEvent.type(field('Name'), 'Amina{Enter}')
    await screen.findByText('Sent')
    await userEvent.click(button())
    await waitFor(() => expect(keys).toHaveLength(2))
    expect(keys[1]).not.toBe(keys[0])
  })
})

describe('the draft', () => {
  it('keeps what was typed over a reload, and the key of a request whose answer is lost', async () => {
    const keys: string[] = []
    const send = losing(keys)
    show({ send })
    await userEvent.type(field('Name'), 'Amina{Enter}')
    await screen.findByRole('alert')
    cleanup()
    show({ send })
    expect(field('Name').value).toBe('Amina')
    await userEvent.click(button())
    await waitFor(() => expect(keys).toHaveLength(2))
    expect(keys[1]).toBe(keys[0])
  })

  it('ends when it is sent', async () => {
    show()
    await userEvent.type(field('Name'), 'Amina{Enter}')
    await screen.findByText('Sent')
    expect(window.sessionStorage.getItem('drafts')).toBeNull()
  })

  it('of another shape is left out', () => {
    window.sessionStorage.setItem('drafts', JSON.stringify({ sample: { values: { name: 1, city: '' } } }))
    show()
    expect(field('Name').value).toBe('')
  })
})

describe('a form in place of what it changes', () => {
  const open = (send: Send = vi.fn<Send>().mockResolvedValue(undefined)) => {
    const onOpen = vi.fn()
    renderPage(<InPlace send={send} onOpen={onOpen} />)
    return { send, onOpen }
  }
  const opener = () => screen.findByRole('button', { name: 'Change' })

  it('takes the focus, and gives it back to what opened it', async () => {
    const { onOpen } = open()
    await userEvent.click(await opener())
    expect(document.activeElement).toBe(field('Name'))
    await userEvent.keyboard('Amina{Enter}')
    await waitFor(async () => expect(document.activeElement).toBe(await opener()))
    expect(screen.getByRole('status').textContent).toBe('Saved')
    expect(onOpen.mock.calls).toEqual([[true], [false]])
  })

  it('is left by Escape without what was typed, and not while it sends', async () => {
    open(vi.fn<Send>().mockReturnValue(Promise.withResolvers<void>().promise))
    await userEvent.click(await opener())
    await userEvent.keyboard('Amina{Escape}')
    await waitFor(async () => expect(document.activeElement).toBe(await opener()))
    await userEvent.click(await opener())
    expect(field('Name').value).toBe('')
    await userEvent.keyboard('Amina{Enter}')
    await screen.findByText('Sending')
    await userEvent.keyboard('{Escape}')
    expect(field('Name').value).toBe('Amina')
  })

  it('opens again after a reload with what was typed, and leaves the focus where a page begins', async () => {
    open()
    await userEvent.click(await opener())
    await userEvent.keyboard('Amina')
    cleanup()
    const { onOpen } = open()
    expect(field('Name').value).toBe('Amina')
    expect(onOpen).toHaveBeenCalledWith(true)
    expect(document.activeElement).toBe(document.body)
  })
})

describe('the focus of a control that is removed', () => {
  function Steps() {
    const [isGone, setIsGone] = useState(false)
    return (
      <Page title="Title">
        <button type="button" onClick={() => setIsGone(true)}>
          Remove
        </button>
        {isGone ? null : (
          <section ref={focusPlace}>
            <h2 tabIndex={-1} data-start>
              Inner
            </h2>
            <Vanishing />
          </section>
        )}
      </Page>
    )
  }
  function Vanishing() {
    const [isGone, setIsGone] = useState(false)
    return isGone ? null : (
      <button type="button" onClick={() => setIsGone(true)}>
        Vanish
      </button>
    )
  }

  it('goes to the start of the nearest place, and to the heading of the page where that place is gone, too', async () => {
    renderPage(<Steps />)
    screen.getByRole('heading', { name: 'Inner' }).focus()
    await userEvent.click(screen.getByRole('button', { name: 'Vanish' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Inner' })))
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Title' })))
  })

  it('stays where the reader put it', async () => {
    renderPage(<Steps />)
    screen.getByRole('button', { name: 'Vanish' }).focus()
    screen.getByRole('button', { name: 'Vanish' }).blur()
    await Promise.resolve()
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await Promise.resolve()
    expect(document.activeElement).toBe(document.body)
  })
})
