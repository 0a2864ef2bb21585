// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { deskOrderOf } from '#test/builders/desk.builder.ts'
import { stubDrawing } from '#test/kit/client/drawing.ts'
import { stubEventSource } from '#test/kit/client/event-source.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import { openDesk } from '#test/kit/client/render-desk.tsx'
import { problem, type StubbedRoute } from '#test/kit/client/render-page.tsx'

const event = (
  step: number,
  kind: string,
  author: string,
  text: string,
  staffName: string | null = null,
) => ({
  step,
  kind,
  author,
  text,
  staffName,
  staffRoles: staffName === null ? [] : ['money'],
  at: `2027-05-19T0${step}:00:00.000Z`,
})
const opened = event(1, 'opened', 'owner', 'A wheel of my bag is broken.')
const claimOf = (...more: readonly object[]) => ({
  claimId: 118,
  number: 'CL-118',
  orderId: 5604,
  kind: 'damaged',
  state: 'OPEN',
  awb: null,
  openedAt: '2027-05-19T01:00:00.000Z',
  answerBy: '2027-05-26',
  lateSince: null,
  outcome: null,
  compensation: null,
  partnerCase: null,
  partnerBy: null,
  partnerAnswerBy: null,
  photos: [],
  events: [opened, ...more],
  partnerText: 'Our case CL-118.',
})
const shown = (...more: readonly object[]) => ({ body: { success: true, claim: claimOf(...more) } })
const read = 'GET /api/desk/claims/118'
const answer = 'POST /api/desk/claims/118/answer'

const open = (answers: Readonly<Record<string, StubbedRoute>>) =>
  openDesk('/claims/118', {
    [read]: shown(),
    'GET /api/desk/orders/5604': { body: { success: true, order: deskOrderOf(5604) } },
    ...answers,
  })
const field = () => screen.findByRole('textbox', { name: 'Answer to the owner' })

describe('an answer', () => {
  it('is sent once however it is pressed, and under one key while it is not known what became of it', async () => {
    let tries = 0
    const done = shown(event(2, 'answered', 'staff', 'It is repaired.', 'سارة'))
    const { person, calls } = open({ [answer]: () => (++tries > 1 ? done : undefined) })
    await person.type(await field(), 'It is repaired.')
    const send = screen.getByRole('button', { name: 'Send the answer' })
    fireEvent.click(send)
    fireEvent.click(send)
    await screen.findByText('We could not connect. Check your network and try again.')
    await person.click(send)
    await screen.findByText('The answer is sent.')
    await person.type(await field(), 'Bring it to the branch.')
    await person.click(send)
    await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(3))
    const [first, again, next] = calls
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(again).toBe(first)
    expect(next).not.toBe(first)
  })
})

describe('an open claim', () => {
  it('is read again when something happens to it, and a form that was begun says what', async () => {
    const sources = stubEventSource()
    let claim = shown()
    const { person, calls } = open({ [read]: () => claim })
    const typed = await field()
    await person.type(typed, 'We look for it.')
    await person.click(screen.getByRole('button', { name: 'Close the claim…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await waitFor(() => expect(sources.at(-1)?.url).toContain('order=5604'))
    claim = shown(event(2, 'answered', 'staff', 'It is repaired.', 'Huda'))
    act(() => sources.at(-1)?.send('changed', { orderId: 5604 }))
    await screen.findByText('It is repaired.')
    const said = /^The order just changed: .Huda. · Finance · answer\. Check before you go on\.$/
    await dialog.findByText(said)
    expect(screen.getAllByText(said)).toHaveLength(2)
    expect((typed as HTMLTextAreaElement).value).toBe('We look for it.')
    const reads = calls.filter(({ path }) => path === read.split(' ')[1]).map(({ query }) => query)
    expect([reads[0], reads.at(-1)]).toEqual([{}, { again: '1' }])
  })

  it.each([
    ['answered', answer, 'Send the answer', 'The answer is sent.'],
    ['closed', 'POST /api/desk/claims/118/close', 'Close the claim', 'CL-118 is closed.'],
  ])(
    'is not %s over words of its owner that were not shown, and then over these',
    async (end, act, go, done) => {
      let claim = shown()
      const { person, calls } = open({
        [read]: () => claim,
        [act]({ body }) {
          claim = shown(event(2, 'message', 'owner', 'It is found!'))
          if ((body as { step: number }).step > 1) return claim
          return problem(409, 'DESK_CLAIM_UNREAD', 'The owner has written.')
        },
      })
      if (end === 'answered') await person.type(await field(), 'We look for it.')
      else {
        await person.click(await screen.findByRole('button', { name: 'Close the claim…' }))
        await person.click(await screen.findByRole('radio', { name: 'without compensation' }))
        await person.type(screen.getByRole('textbox', { name: /^Why/ }), 'It was never ours.')
      }
      await person.click(screen.getByRole('button', { name: go }))
      await screen.findByText('The owner has written.')
      await screen.findByText('It is found!')
      await person.click(screen.getByRole('button', { name: go }))
      await screen.findByText(done)
      const sent = calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
      expect(sent).toMatchObject([{ step: 1 }, { step: 2 }])
    },
  )

  it('takes a photograph that its owner sent us another way, in the place that is free', async () => {
    const added = 'PUT /api/desk/claims/118/photos/2'
    const has = (...photos: readonly number[]) => ({
      body: { success: true, claim: { ...claimOf(), photos } },
    })
    const { person, calls } = open({ [read]: has(1), [added]: has(1, 2) })
    const button = await screen.findByRole('button', { name: 'Add a photograph of the owner' })
    const field = document.querySelector<HTMLInputElement>('input[type=file]')
    if (field === null) throw new Error('there is a field for files')
    await person.upload(field, new File(['x'], 'bag.heic', { type: 'image/heic' }))
    await screen.findByText('This file cannot be shown. Choose another picture.')
    stubDrawing(photoOf(100))
    await person.upload(field, new File(['x'], 'bag.jpg', { type: 'image/jpeg' }))
    await screen.findByText('The photograph is added.')
    await screen.findByRole('button', { name: 'Show photograph 2' })
    expect(button.isConnected).toBe(false)
    const [sent, ...others] = calls.filter(({ method }) => method === 'PUT')
    expect(others).toEqual([])
    expect(sent?.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  it('names a photograph of its owner, which has no words', async () => {
    open({ [read]: shown(event(2, 'message', 'owner', '')) })
    await screen.findByText('Owner · photograph')
  })

  it('keeps all that was filled in to close it', async () => {
    const fill = async () => {
      const desk = open({})
      await desk.person.click(await screen.findByRole('button', { name: 'Close the claim…' }))
      return { ...desk, dialog: within(await screen.findByRole('dialog')) }
    }
    const first = await fill()
    await first.person.click(first.dialog.getByRole('radio', { name: 'with compensation' }))
    await first.person.type(first.dialog.getByRole('textbox', { name: 'Compensation in SAR' }), '50.5')
    await first.person.type(first.dialog.getByRole('textbox', { name: 'Reference of the payment' }), 'T-1')
    await first.person.type(first.dialog.getByRole('textbox', { name: /^Why/ }), 'The courier pays.')
    first.leave()
    const closing = 'POST /api/desk/claims/118/close'
    const again = open({ [closing]: shown() })
    await again.person.click(await screen.findByRole('button', { name: 'Close the claim…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await again.person.click(dialog.getByRole('button', { name: 'Close the claim' }))
    await screen.findByText('CL-118 is closed.')
    expect(again.calls.find(({ method }) => method === 'POST')?.body).toEqual({
      outcome: 'compensated',
      text: 'The courier pays.',
      compensation: { halalas: 5_050, reference: 'T-1' },
      step: 1,
    })
    expect(window.sessionStorage.getItem('deskDrafts')).toBeNull()
  })
})
