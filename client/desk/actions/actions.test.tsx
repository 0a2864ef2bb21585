// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { deskOrderOf } from '#test/builders/desk.builder.ts'
import { openDesk } from '#test/kit/client/render-desk.tsx'
import { problem, type StubbedRoute } from '#test/kit/client/render-page.tsx'

const refund = 'POST /api/desk/orders/5604/actions/refund'
const note = 'POST /api/desk/orders/5604/actions/note'

const open = (at: string, answers: Readonly<Record<string, StubbedRoute>> = {}, roles = ['money']) =>
  openDesk(
    at,
    { 'GET /api/desk/orders/5604': { body: { success: true, order: deskOrderOf(5604) } }, ...answers },
    { roles },
  )

async function fillIn({ person }: Pick<ReturnType<typeof openDesk>, 'person'>) {
  const dialog = within(await screen.findByRole('dialog'))
  await person.click(dialog.getByRole('radio', { name: 'Paid twice' }))
  await person.type(dialog.getByRole('textbox'), 'Both cards were charged')
  return dialog.getByRole('button', { name: /^Ask for/ })
}

describe('actions on an order', () => {
  it('offer what is possible, and beside it why the others are not, or who may do them', async () => {
    const { person } = open('/orders/5604')
    await person.click(await screen.findByRole('button', { name: 'Actions' }))
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(items.some((text) => text?.startsWith('Ask for a refund…'))).toBe(true)
    expect(items.some((text) => text?.startsWith('Write the refund off…'))).toBe(false)
    await person.keyboard('{Escape}')
    await person.click(screen.getByRole('button', { name: 'Why not…?' }))
    const why = async (act: string) => (await screen.findByText(act)).parentElement?.textContent
    expect(await why('Write the refund off…')).toContain('Not possible: this transaction has no open refund.')
    expect(await why('Cancel the order…')).toContain('For Support or Lead.')
  })

  it('ask back with a reason, and say that a second person approves', async () => {
    const desk = open('/orders/5604?act=refund', {
      [refund]: { status: 202, body: { success: true, approval: { approvalId: 4 } } },
    })
    await desk.person.click(await fillIn(desk))
    await screen.findByText('Asked for. A second person approves it within 3 days.')
    const sent = desk.calls.find(({ method }) => method === 'POST')
    expect(sent?.body).toEqual({ reason: 'Paid twice. Both cards were charged' })
    expect(desk.where()).toBe('/orders/5604')
    expect(window.sessionStorage.getItem('deskDrafts')).toBeNull()
  })

  it('give the focus back to their button once the dialog is closed', async () => {
    const { person } = open('/orders/5604')
    await person.click(await screen.findByRole('button', { name: 'Actions' }))
    const item = await screen.findByRole('menuitem', { name: /^Ask for a refund/ })
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('menuitem'))
    await person.click(item)
    const dialog = within(await screen.findByRole('dialog'))
    const [close] = dialog.getAllByRole('button', { name: 'Close' })
    await person.click(close as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions' }))
  })

  it('say that the money goes back at once where one person may order it', async () => {
    const order = {
      ...deskOrderOf(5604),
      alone: { halalas: 5_000, returnHalalas: 5_000, receiver: true, reissue: true },
    }
    open('/orders/5604?act=refund', { 'GET /api/desk/orders/5604': { body: { success: true, order } } })
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Return SAR 50.00? It goes back at once.')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Return SAR\u00a050.00' })).toBeTruthy()
    expect(dialog.queryByText(/second person/)).toBeNull()
  })

  it('name what goes back, without a part that was returned before', async () => {
    const order = deskOrderOf(5604)
    const refund = {
      transactionId: order.transactionId,
      state: 'done',
      amountHalalas: 2_000,
      currency: 'SAR',
    }
    const payments = [{ state: 'succeeded', events: [], refunds: [refund] }]
    open('/orders/5604?act=refund', {
      'GET /api/desk/orders/5604': { body: { success: true, order: { ...order, payments } } },
    })
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^Ask for SAR.30\.00 back\?/)).toBeTruthy()
    expect(dialog.getByText(/^SAR.30\.00$/)).toBeTruthy()
    expect(dialog.getByRole('button', { name: /^Ask for SAR.30\.00 back$/ })).toBeTruthy()
    expect(dialog.queryByText(/50\.00/)).toBeNull()
  })

  it('name the new receiver of a paid order, and that a second person decides', async () => {
    const { person } = open('/orders/5604?act=receiver', {}, ['lead'])
    const dialog = within(await screen.findByRole('dialog'))
    await person.type(dialog.getByRole('textbox', { name: 'Name of the receiver' }), 'Khalid')
    expect(dialog.getByText(/^Once a second person approves, the receiver becomes .Khalid.\./)).toBeTruthy()
    expect(dialog.getByText(/^Nothing is done before a second person approves/)).toBeTruthy()
  })

  it('send one message again, which the dialog names with its number', async () => {
    const sent = (kind: string, message: number, at: string) => ({
      kind: `message-${kind}`,
      at,
      text: kind,
      by: { kind: 'system' },
      data: {
        message,
        event: `paid ${message}`,
        about: message === 1 ? 'paid' : 'at-branch',
        channel: 'sms',
      },
    })
    const order = {
      ...deskOrderOf(5604),
      timeline: [
        sent('failed', 2, '2025-05-18T07:22:00.000Z'),
        sent('delivered', 1, '2025-05-17T07:22:00.000Z'),
      ],
    }
    const path = 'POST /api/desk/orders/5604/actions/resend'
    const resend = (timeline: readonly object[]) =>
      open(
        '/orders/5604?act=resend',
        {
          'GET /api/desk/orders/5604': { body: { success: true, order: { ...order, timeline } } },
          [path]: { body: { success: true } },
        },
        ['support'],
      )
    const { person, calls, leave } = resend(order.timeline)
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^Send “ready to collect” again to .••• 4678.\?$/)).toBeTruthy()
    await person.click(dialog.getByRole('radio', { name: /^“paid”, delivered 17\sMay\s2025, / }))
    await person.type(dialog.getByRole('textbox'), 'The owner asked for it')
    await person.click(dialog.getByRole('button', { name: 'Send again' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
        reason: 'The owner asked for it',
        message: 1,
      }),
    )
    leave()

    // The draft's message is not offered now: no radio button is checked when the operator comes back.
    const first = resend(order.timeline)
    await first.person.click(await screen.findByRole('radio', { name: /^“paid”, delivered 17\sMay\s2025, / }))
    await first.person.type(within(screen.getByRole('dialog')).getByRole('textbox'), 'Asked again')
    first.leave()
    resend(order.timeline.slice(0, 1))
    const radio = await screen.findByRole('radio', { name: /^“ready to collect”/ })
    expect((radio as HTMLInputElement).checked).toBe(false)
    const later = within(screen.getByRole('dialog'))
    await first.person.click(later.getByRole('button', { name: 'Send again' }))
    await later.findByText('This field is required.')
    expect(document.activeElement).toBe(radio)
  })

  it('register a claim for the bag that was chosen, of a kind that can be reported of it, also later', async () => {
    const order = deskOrderOf(5604)
    const [bag] = order.bookings
    const bookings = [{ ...bag, reference: 'S-2', awb: null, claimKinds: ['other'] }, bag]
    const path = 'POST /api/desk/orders/5604/claims'
    const report = () =>
      open('/orders/5604?act=claim', {
        'GET /api/desk/orders/5604': { body: { success: true, order: { ...order, bookings } } },
        [path]: problem(409, 'CLAIM_OPEN', 'There is an open one.'),
      })
    const { person, leave } = report()
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.queryByRole('radio', { name: 'Late' })).toBeNull()
    await person.click(dialog.getByRole('radio', { name: /2227 3513 3983/ }))
    const kinds = within(dialog.getByRole('radiogroup', { name: 'What is wrong' })).getAllByRole('radio')
    expect(kinds).toHaveLength(3)
    await person.click(kinds[0] as HTMLElement)
    await person.type(dialog.getByRole('textbox'), 'It should have come on Monday')
    leave()
    const { person: back, calls } = report()
    await back.click(await screen.findByRole('button', { name: 'Register the claim' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
        kind: 'late',
        awb: '222735133983',
      }),
    )
  })

  it('pressed twice at once, they are sent once', async () => {
    const desk = open('/orders/5604?act=refund', { [refund]: { body: { success: true } } })
    const ok = await fillIn(desk)
    fireEvent.click(ok)
    fireEvent.click(ok)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(desk.calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('say who was first, and are not pressed again', async () => {
    const desk = open('/orders/5604?act=refund', {
      [refund]: problem(409, 'ACTED_BEFORE', 'Huda was first. Yours was not done.'),
    })
    const ok = await fillIn(desk)
    await desk.person.click(ok)
    expect((await screen.findByRole('alert')).textContent).toContain('Huda was first. Yours was not done.')
    expect(ok.hasAttribute('disabled')).toBe(true)
    // The page reads the order again, because its timeline has a new line.
    expect(desk.calls.filter(({ path }) => path === '/api/desk/orders/5604').length).toBeGreaterThan(1)
  })

  it('lead to the claim that is open already', async () => {
    const desk = open('/orders/5604?act=claim', {
      'POST /api/desk/orders/5604/claims': problem(409, 'DESK_CLAIM_OPEN', 'An open claim: CL-118.'),
    })
    const dialog = within(await screen.findByRole('dialog'))
    await desk.person.click(dialog.getByRole('radio', { name: 'late' }))
    await desk.person.type(dialog.getByRole('textbox'), 'The wheel is broken.')
    await desk.person.click(dialog.getByRole('button', { name: /register/i }))
    const link = await dialog.findByRole('link', { name: 'To claim CL-118' })
    expect(link.getAttribute('href')).toBe('/claims/118')
  })

  it('keep what was typed while the person signs in again, and come back to the same dialog', async () => {
    const desk = open('/orders/5604?act=refund', {
      [refund]: problem(401, 'REAUTHENTICATION_REQUIRED', 'Sign in again to do this.'),
    })
    await desk.person.click(await fillIn(desk))
    const link = await screen.findByRole('link', { name: 'Confirm' })
    const address = new URL(link.getAttribute('href') ?? '', 'https://desk.example')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      next: '/desk/orders/5604?act=refund',
      again: '1',
    })
    desk.leave()
    const back = open('/orders/5604?act=refund', { [refund]: { body: { success: true } } })
    const dialog = within(await screen.findByRole('dialog'))
    await back.person.click(dialog.getByRole('button', { name: /^Ask for/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(back.calls.find(({ method }) => method === 'POST')?.body).toEqual({
      reason: 'Paid twice. Both cards were charged',
    })
    expect(window.sessionStorage.getItem('deskDrafts')).toBeNull()
  })

  it('a note is sent with Ctrl and Enter, each under a key of its own', async () => {
    const desk = open('/orders/5604?act=note', { [note]: { body: { success: true } } })
    const field = await screen.findByRole('textbox', { name: 'Note to colleagues' })
    await waitFor(() => expect(document.activeElement).toBe(field))
    for (const text of ['Called', 'Called again']) {
      await desk.person.type(field, `${text}{Control>}{Enter}{/Control}`)
      await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(''))
    }
    const notes = desk.calls.filter(({ method }) => method === 'POST')
    expect(notes.map(({ body }) => body)).toEqual([{ text: 'Called' }, { text: 'Called again' }])
    expect(new Set(notes.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })
})
