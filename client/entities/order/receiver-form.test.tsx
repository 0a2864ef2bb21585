// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { CallProblem } from '#client/platform/call.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import { isBusy, renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { ReceiverPart } from './receiver-form.tsx'

const t = (key: string, values?: Record<string, unknown>) => textOf('receiver', key, values)
const field = (name: string) => screen.getByRole('textbox', { name: t(`form.${name}`) })
const press = (key: string) => userEvent.click(screen.getByRole('button', { name: t(key) }))

beforeEach(() => window.sessionStorage.clear())

function show(named: NamedReceiver, onSave: (named: NamedReceiver) => unknown = vi.fn()) {
  const onEditing = vi.fn()
  renderPage(
    <ReceiverPart draft="receiver" named={named} own={<p>Own</p>} onSave={onSave} onEditing={onEditing} />,
  )
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
  await userEvent.type(field('name'), 'Sara Omar')
  await userEvent.type(field('phone'), '345678')
  await press('form.save')
  expect(await screen.findByText('No such number.')).toBeTruthy()
  expect(document.activeElement).toBe(field('phone'))
})

it('says at once that a name is too long, and cuts nothing', async () => {
  const { onSave } = show({})
  await press('other')
  await userEvent.click(field('name'))
  await userEvent.paste('x'.repeat(81))
  expect(field('name')).toHaveProperty('value.length', 81)
  expect(screen.getByText(t('faults.NAME_TOO_LONG', { limit: 80 }))).toBeTruthy()
  await press('form.save')
  expect(onSave).not.toHaveBeenCalled()
})

it('asks once whether a name that the label would fill up is whole', async () => {
  const { onSave } = show({})
  await press('other')
  await userEvent.type(field('name'), 'علي')
  await press('form.save')
  const question = screen.getByText(t('short', { name: 'علي' })).parentElement
  expect(document.activeElement).toBe(question)
  expect(onSave).not.toHaveBeenCalled()
  await press('whole')
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ receiver: { name: 'علي' } })
})

it('does not ask again about a name that is stored, nor about one that was corrected', async () => {
  const { onSave } = show({ receiver: { name: 'Ali' } })
  await press('change')
  await userEvent.type(field('secondPhone'), '0512345678')
  await press('form.save')
  expect(onSave).toHaveBeenCalledOnce()
  await press('change')
  await userEvent.clear(field('name'))
  await userEvent.type(field('name'), 'Sam')
  await press('form.save')
  await userEvent.type(field('name'), 'ir Ali')
  expect(screen.queryByText(t('short', { name: 'Sam' }))).toBeNull()
  await press('form.save')
  expect(onSave).toHaveBeenLastCalledWith({ receiver: { name: 'Samir Ali' } })
})

it('is not opened beside another form, but stays open', async () => {
  const part = (isHeld: boolean) => (
    <ReceiverPart draft="receiver" named={{}} own={<p>Own</p>} onSave={vi.fn()} isHeld={isHeld} />
  )
  const { rerender } = renderPage(part(true))
  expect(screen.queryByRole('button')).toBeNull()
  rerender(part(false))
  await press('other')
  rerender(part(true))
  expect(field('name')).toBeTruthy()
})

it('keeps what is typed while the server cannot be reached, and says why it cannot be saved', async () => {
  const onSave = vi.fn()
  const part = (isCutOff: boolean) => (
    <ReceiverPart draft="receiver" named={{}} onSave={onSave} isCutOff={isCutOff} />
  )
  const { rerender } = renderPage(part(false))
  await press('other')
  await userEvent.type(field('name'), 'Sara Omar')
  rerender(part(true))
  expect(screen.getByRole('alert').textContent).toBe(textOf('platform', 'unreachable'))
  expect(isBusy(screen.getByRole('button', { name: t('form.save') }))).toBe(true)
  await userEvent.type(field('name'), '{Enter}')
  expect(onSave).not.toHaveBeenCalled()
  rerender(part(false))
  await press('form.save')
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ receiver: { name: 'Sara Omar' } })
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
