// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { deskOrderOf } from '#test/builders/desk.builder.ts'
import { stubEventSource } from '#test/kit/event-source.ts'
import { stubLocks } from '#test/kit/locks.ts'
import { openDesk } from '#test/kit/render-desk.tsx'

const at = '2027-05-19T09:00:00.000Z'
const said = (step: number, text: string) => ({
  ...{ step, kind: step === 1 ? 'opened' : 'message', author: 'owner', staffName: null, text, at },
})
const claim = (...texts: readonly string[]) => ({
  ...{ claimId: 118, number: 'CL-118', orderId: 5604, kind: 'lost', state: 'OPEN', awb: null, photos: [] },
  ...{ openedAt: at, answerBy: '2027-05-26', lateSince: null, outcome: null, compensation: null },
  ...{ partnerBy: null, partnerAnswerBy: null, partnerCase: null, partnerText: 'Airway bill' },
  events: texts.map((text, index) => said(index + 1, text)),
})

it('a claim shows what its owner writes while it is open, and keeps the answer that is being typed', async () => {
  const sources = stubEventSource()
  stubLocks()
  let texts = ['My bag is lost.']
  const { person } = openDesk('/claims/118', {
    'GET /api/desk/claims/118': () => ({ body: { success: true, claim: claim(...texts) } }),
    'GET /api/desk/orders/5604': { body: { success: true, order: deskOrderOf(5604) } },
  })
  await screen.findByText('My bag is lost.')
  const field = screen.getByRole('textbox', { name: 'Answer to the owner' })
  await person.type(field, 'We look')
  const stream = () => sources.find(({ url }) => url.includes('order=5604'))
  await waitFor(() => expect(stream()).toBeTruthy())
  texts = [...texts, 'It is blue.']
  act(() => stream()?.send('changed', { order: 5604 }))
  await screen.findByText('It is blue.')
  expect((field as HTMLTextAreaElement).value).toBe('We look')
})
