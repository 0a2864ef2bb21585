// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { stubEventSource } from '#test/kit/client/event-source.ts'
import { stubLocks } from '#test/kit/client/locks.ts'
import { openDesk } from '#test/kit/client/render-desk.tsx'
import { problem, type StubbedRoute } from '#test/kit/client/render-page.tsx'

const approval = (approvalId: number, more = {}) => ({
  approvalId,
  orderId: 5588,
  act: 'refund',
  about: '192036512',
  amountHalalas: 5000,
  receiver: null,
  reason: 'Bag lost',
  askedBy: 'Majed',
  askedAt: new Date(Date.now() - 240_000).toISOString(),
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  isMine: false,
  changed: null,
  checks: [],
  terminal: null,
  ...more,
})
const answer = (...approvals: readonly object[]) => ({ body: { success: true, approvals, nextCursor: null } })
const listed = 'GET /api/desk/approvals'
const open = (answers: Readonly<Record<string, StubbedRoute>>, roles = ['money']) =>
  openDesk('/approvals', answers, { roles })

/** The dialog that asks for confirmation. */
const asked = async (title: RegExp) => within(await screen.findByRole('dialog', { name: title }))

describe('approvals', () => {
  it('are approved by name and sum, once however fast they are pressed; then the list is read again', async () => {
    let isDone = false
    const { person, calls } = open({
      [listed]: () => (isDone ? answer() : answer(approval(3))),
      'POST /api/desk/approvals/3/approve': () => {
        isDone = true
        return { body: { success: true } }
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Approve SAR\u00a050.00 back' }))
    const dialog = await asked(/^Approve SAR\u00a050\.00 back, asked by .Majed.\?$/)
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    const yes = dialog.getByRole('button', { name: 'Approve SAR\u00a050.00 back' })
    fireEvent.click(yes)
    fireEvent.click(yes)
    await screen.findByText('Nothing waits for an approval.')
    const sent = calls.filter(({ method }) => method === 'POST')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  })

  it('that the person decided leave the page at once, and are not said to be over', async () => {
    const isDecided = Promise.withResolvers<void>()
    const { person } = openDesk(
      '/approvals?id=3',
      {
        [listed]: answer(approval(3), approval(4, { orderId: 5600 })),
        'POST /api/desk/approvals/3/approve': async () => {
          await isDecided.promise
          return { body: { success: true } }
        },
      },
      { roles: ['money'], hasTransitions: true },
    )
    await person.click(await screen.findByRole('button', { name: /^Approve/ }))
    await person.click((await asked(/^Approve/)).getByRole('button', { name: /^Approve/ }))
    const read: (string | null)[] = []
    const watched = new MutationObserver(() => read.push(screen.getByRole('main').textContent))
    watched.observe(document.body, { subtree: true, childList: true, characterData: true })
    isDecided.resolve()
    await screen.findByRole('heading', { name: 'Refund of OD-5600' })
    watched.disconnect()
    expect(read.filter((text) => text?.includes('It does not wait any more'))).toEqual([])
  })

  it('of a compensation say so: it is recorded, and nothing goes back; its claim is a link', async () => {
    open({ [listed]: answer(approval(5, { act: 'compensation', about: 'CL-118', amountHalalas: 25_000 })) })
    await screen.findByRole('button', { name: 'Approve the compensation' })
    expect(screen.getByRole('link', { name: 'CL-118' }).getAttribute('href')).toBe('/claims/118')
    expect(screen.queryByText('Goes back')).toBeNull()
  })

  it('are checked again as soon as the order of the open one changes', async () => {
    const sources = stubEventSource()
    stubLocks()
    let checks: readonly object[] = []
    open({ [listed]: () => answer(approval(3, { checks })) })
    await screen.findByRole('button', { name: /^Approve/ })
    await waitFor(() => expect(sources.at(-1)?.url).toContain('order=5588'))
    checks = [{ isMet: false, text: 'The bag has reached its branch' }]
    act(() => sources.at(-1)?.send('changed', { orderId: 5588 }))
    await screen.findByText('The bag has reached its branch')
  })

  it('come back to the same one from a fresh sign-in', async () => {
    const { person } = open({
      [listed]: answer(approval(3)),
      'POST /api/desk/approvals/3/approve': problem(401, 'REAUTHENTICATION_REQUIRED', 'Sign in again.'),
    })
    await person.click(await screen.findByRole('button', { name: /^Approve/ }))
    await person.click((await asked(/^Approve/)).getByRole('button', { name: /^Approve/ }))
    const link = await screen.findByRole('link', { name: 'Confirm' })
    expect(link.getAttribute('href')).toBe('/desk/sign-in?next=%2Fdesk%2Fapprovals%3Fid%3D3&again=1')
  })

  it('are refused with a word to the one who asked, and not without', async () => {
    const { person, calls } = open({
      [listed]: answer(approval(3)),
      'POST /api/desk/approvals/3/refuse': { body: { success: true } },
    })
    await person.click(await screen.findByRole('button', { name: 'Refuse' }))
    await screen.findByText(/^Tell .*Majed.* why/)
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    await person.type(screen.getByRole('textbox'), 'The bag was found')
    await person.click(screen.getByRole('button', { name: 'Refuse' }))
    const dialog = await asked(/^Refuse, and tell .Majed. why\?$/)
    expect(dialog.getByText('The bag was found')).toBeTruthy()
    await person.click(dialog.getByRole('button', { name: 'Refuse' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'The bag was found' }),
    )
  })

  it('are not offered to the one who asked, nor approved once something has changed', async () => {
    const { person } = open({
      [listed]: answer(
        approval(3, { isMine: true }),
        approval(4, { changed: 'the status of the order has changed.' }),
      ),
    })
    await screen.findByText('You asked for this. A colleague with finance or lead rights decides.')
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull()
    const [, second] = screen.getAllByRole('link', { name: /^SAR/ })
    await person.click(second as HTMLElement)
    await screen.findByText('It cannot be approved any more: the status of the order has changed.')
    expect(screen.getByRole('button', { name: /^Approve/ }).hasAttribute('disabled')).toBe(true)
    expect(screen.getByRole('button', { name: 'Refuse' }).hasAttribute('disabled')).toBe(false)
  })

  it('are decided beside what the server says about them now', async () => {
    const checks = [
      { tone: 'note', text: 'This bag was handed over: the shipping partner is still owed its charge' },
      { tone: 'bad', text: 'Claim CL-118 was closed before' },
    ]
    open({ [listed]: answer(approval(3, { act: 'compensation', about: 'CL-118', checks })) })
    for (const { text } of checks) await screen.findByText(text)
    expect(screen.getByRole('button', { name: 'Approve the compensation' }).hasAttribute('disabled')).toBe(
      true,
    )
  })

  it('stay open with what became of them when the list goes on without them, and no other takes their place', async () => {
    const sources = stubEventSource()
    stubLocks()
    let isOver = false
    const { person, calls } = open({
      [listed]: () => (isOver ? answer(approval(4)) : answer(approval(3), approval(4))),
      'POST /api/desk/approvals/3/approve': () => {
        isOver = true
        return problem(409, 'OVERTAKEN', 'It cannot be approved any more: the order was cancelled.')
      },
    })
    await person.click(await screen.findByRole('button', { name: /^Approve/ }))
    const dialog = await asked(/^Approve/)
    await person.click(dialog.getByRole('button', { name: /^Approve/ }))
    await dialog.findByText('It cannot be approved any more: the order was cancelled.')
    expect(dialog.getByRole('button', { name: /^Approve/ }).hasAttribute('disabled')).toBe(true)
    act(() => sources.at(-1)?.send('changed', {}))
    await screen.findByText(/^It does not wait any more/)
    expect(dialog.getByText('It cannot be approved any more: the order was cancelled.')).toBeTruthy()
    const [close] = dialog.getAllByRole('button', { name: 'Close' })
    await person.click(close as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull()
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
    await person.click(screen.getByRole('link', { name: /^SAR/ }))
    await screen.findByRole('button', { name: /^Approve/ })
  })

  it('leave what the shipping partner is told on the screen until it is closed', async () => {
    const partnerText = 'Airway bill 231200000001\nNew consignee: Mona Ali'
    const { person } = open({
      [listed]: answer(approval(3, { act: 'receiver', about: null, amountHalalas: 0 })),
      'POST /api/desk/approvals/3/approve': { body: { success: true, partnerText } },
      'GET /api/desk/stops': { body: { success: true, revision: 0, stops: [] } },
    })
    await person.click(await screen.findByRole('button', { name: 'Approve the receiver' }))
    await person.click((await asked(/^Approve/)).getByRole('button', { name: 'Approve the receiver' }))
    const isTold = () => screen.getAllByText((_text, each) => each?.textContent === partnerText).length
    await screen.findByRole('button', { name: 'Copy' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(screen.getByRole('link', { name: /^Orders/ }))
    expect(isTold()).toBeGreaterThan(0)
    await person.click(screen.getByRole('button', { name: 'Hide this note' }))
    expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull()
  })

  it('without an order name none, and one that a terminal asked in their name is confirmed by its person', async () => {
    const ofTerminal = {
      isMine: true,
      askedBy: 'Lulwa',
      terminal: { user: 'root', isConfirmed: false },
      checks: [{ tone: 'bad', text: 'Asked from a terminal (root) as Lulwa, unproven' }],
    }
    const { person, calls } = open({
      [listed]: answer(
        approval(3, { act: 'end-sessions', about: null, orderId: null, amountHalalas: 0 }),
        approval(4, ofTerminal),
      ),
      'POST /api/desk/approvals/4/confirm': { body: { success: true } },
    })
    const heading = await screen.findByRole('heading', { name: /End the sessions of everyone/ })
    expect(heading.textContent).not.toMatch(/OD-/)
    await screen.findByRole('button', { name: 'Approve ending all sessions' })
    await person.click(screen.getAllByRole('link', { name: /^SAR/ })[0] as HTMLElement)
    await screen.findByText(/unproven/)
    await person.click(await screen.findByRole('button', { name: /^Confirm/ }))
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/4/confirm'))).toBe(true))
  })

  it('of a receiver say what stays and what goes, masked, and show it for a reason', async () => {
    const receiver = { receiver: { name: 'Mona A…', phone: '+966 ••••• 5679' } }
    const { person, calls } = open({
      [listed]: answer(
        approval(3, { act: 'receiver', about: null, amountHalalas: 0, receiver }),
        approval(4, {
          act: 'receiver',
          about: null,
          amountHalalas: 0,
          receiver: { receiver: null, secondPhone: null },
        }),
      ),
      'POST /api/desk/approvals/3/reveal': {
        body: { success: true, receiver: { name: 'Mona Al-Otaibi', phone: '+966512345679' } },
      },
    })
    const fact = async (label: string) => (await screen.findByText(label)).closest('tr')?.textContent
    expect(await fact('New receiver')).toBe('New receiverMona A… +966 ••••• 5679')
    expect(await fact('Second phone')).toBe('Second phoneStays as it is')
    await person.click(screen.getByRole('button', { name: /Show/ }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('radio', { name: /partner/ }))
    await person.click(dialog.getByRole('button', { name: /Show/ }))
    await screen.findByText('+966512345679')
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'partner' })
    await person.click(screen.getByRole('button', { name: 'Hide' }))
    await person.click(screen.getAllByRole('link', { name: /^Receiver/ })[1] as HTMLElement)
    await screen.findByText('The owner')
    expect(await fact('New receiver')).toBe('New receiverThe owner')
    expect(await fact('Second phone')).toBe('Second phoneRemoved')
  })

  it('of another number lead to its person, and show the number masked, and whole for a reason', async () => {
    const number = { number: '+966 ••••• 9999' }
    const { person, calls } = open({
      [listed]: answer(
        approval(3, { act: 'number', about: '7', orderId: null, amountHalalas: 0, receiver: number }),
      ),
      'POST /api/desk/approvals/3/reveal': { body: { success: true, number: '+966512349999' } },
    })
    const fact = async (label: string) => (await screen.findByText(label)).closest('tr')?.textContent
    expect(await fact('New number')).toBe('New number+966 ••••• 9999')
    expect(screen.getByRole('link', { name: 'Page of the person' }).getAttribute('href')).toContain(
      '/people/7',
    )
    expect(screen.getByRole('button', { name: 'Approve the number' })).toBeTruthy()
    await person.click(screen.getByRole('button', { name: /Show/ }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('radio', { name: /partner/ }))
    await person.click(dialog.getByRole('button', { name: /Show/ }))
    await screen.findByText('+966512349999')
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'partner' })
  })

  it('are taken from a colleague who has the row, once the page has named them', async () => {
    const since = new Date(Date.now() - 120_000).toISOString()
    const row = (taken: object | null) => ({
      kind: 'approvals',
      id: '3',
      orderId: 5588,
      reason: 'approval',
      text: 'Refund',
      data: {},
      taken,
      since,
      dueAt: since,
      awb: null,
      city: null,
      lastNews: null,
    })
    let taken: object | null = null
    const { person, calls } = open({
      [listed]: answer(approval(3)),
      'GET /api/desk/work': () => ({
        body: {
          success: true,
          lists: [],
          mine: [],
          colleagues: [],
          refused: [],
          ofOrder: [row(taken)],
        },
      }),
      'POST /api/desk/approvals/3/approve': () => {
        const answered = taken
          ? { body: { success: true } }
          : problem(409, 'WORK_TAKEN', 'Huda has had this.')
        const huda = { name: 'Huda', isYou: false, isStale: false, handedBy: null, note: null }
        taken = { ...huda, since, movedAt: since }
        return answered
      },
    })
    await person.click(await screen.findByRole('button', { name: /^Approve/ }))
    const dialog = await asked(/^Approve/)
    await person.click(dialog.getByRole('button', { name: /^Approve/ }))
    await dialog.findByText(/Huda.* has this\. Doing it gives it to you\./)
    await person.click(dialog.getByRole('button', { name: /^Approve/ }))
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
        ...[{}, { over: since }],
      ]),
    )
  })

  it('go on after a page, until the one that the address names is there', async () => {
    const page = (approvals: object[], nextCursor: string | null) => ({
      body: { success: true, approvals, nextCursor },
    })
    openDesk(
      '/approvals?id=5',
      {
        [listed]: ({ query }) =>
          query.cursor === '3' ? page([approval(5, { orderId: 5590 })], null) : page([approval(3)], '3'),
      },
      { roles: ['money'] },
    )
    await screen.findByRole('heading', { name: /OD-5590/ })
    expect(screen.getAllByRole('link', { name: /^SAR/ })).toHaveLength(2)
  })

  it('tell support who has the right to them', async () => {
    open({}, ['support'])
    await screen.findByRole('heading', { name: 'This page is for Finance or Lead' })
  })
})
