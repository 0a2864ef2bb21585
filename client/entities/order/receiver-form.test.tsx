// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { CallProblem } from '#client/platform/call.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import { renderPage, textOf } from '#test/kit/render-page.tsx'
import { ReceiverPart } from './receiver-form.tsx'

const t = (key: string) => textOf('receiver', key)
const field = (name: string) => screen.getByRole('textbox', { name: t(`form.${name}`) })
const press = (key: string) => userEvent.click(screen.getByRole('button', { name: t(key) }))

function show(named: NamedReceiver, onSave: (named: NamedReceiver) => unknown = vi.fn()) {
  const onEditing = vi.fn()
  renderPage(<ReceiverPart named={named} own={<p>Own</p>} onSave={onSave} onEditing={onEditing} />)
  return { onSave, onEditing }
}

it('is one line until another person is named, and says who that is', async () => {
  const { onSave, onEditing } = show({})
  expect(screen.getByText('Own')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  await press('other')
  expect(document.activeElement).toBe(field('name'))
  await userEvent.type(field('name'), 'Sara Omar')
  await userEvent.type(field('phone'), '0512345678')
  await press('form.save')
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ receiver: { name: 'Sara Omar', phone: '0512345678' } })
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
  expect(onEditing.mock.calls).toEqual([[true], [false]])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: t('other') }))
})

it('points at the first field that cannot be, also where the server refuses it', async () => {
  const refusal = new CallProblem({
    status: 422,
    code: 'RECEIVER_REFUSED',
    message: 'Check the fields named.',
    requestId: 'r',
    fields: [{ field: 'receiver.phone', message: 'No such number.' }],
  })
  const { onSave } = show({}, vi.fn().mockRejectedValue(refusal))
  await press('other')
  await userEvent.type(field('phone'), '0512')
  await press('form.save')
  expect(document.activeElement).toBe(field('name'))
  expect(screen.getByText(t('faults.NAME_REQUIRED'))).toBeTruthy()
  expect(screen.getByText(t('faults.PHONE_INVALID'))).toBeTruthy()
  expect(onSave).not.toHaveBeenCalled()
  await userEvent.type(field('name'), 'Sara')
  await userEvent.type(field('phone'), '345678')
  await press('form.save')
  expect(await screen.findByText('No such number.')).toBeTruthy()
  expect(document.activeElement).toBe(field('phone'))
})

it('gives the bag back to its owner, who keeps the other number', async () => {
  const named = { receiver: { name: 'Sara Omar', phone: '+966512345678' }, secondPhone: '+966500000000' }
  const { onSave } = show(named)
  expect(screen.queryByText('Own')).toBeNull()
  for (const text of [named.receiver.name, named.receiver.phone, named.secondPhone])
    expect(screen.getByText(text)).toBeTruthy()
  await press('change')
  await press('form.myself')
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ secondPhone: named.secondPhone })
})
