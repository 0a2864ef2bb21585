// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setLanguage } from '#client/platform/i18n.ts'
import { renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { OwnDetails } from './own-details.tsx'

const none = { body: { success: false } }
const amina = { success: true, userId: 7, name: 'Amina', phone: '+966501234567' }
const renamed = { body: { success: true, user: { id: 7, name: 'Amina Noor', phone: '+966501234567' } } }
const t = (key: string) => textOf('sessions', key)

type Table = Parameters<typeof stubGateway>[0]

async function open(table: Table = {}, user: object = amina) {
  const onEditing = vi.fn<(isEditing: boolean) => void>()
  const calls = stubGateway({ 'GET /api/auth/user': { body: user }, 'GET /api/auth/agent': none, ...table })
  renderPage(<OwnDetails onEditing={onEditing} />)
  await screen.findByText('+966501234567')
  const sent = () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
  return { person: userEvent.setup(), sent, onEditing }
}

const button = (key: string) => screen.getByRole('button', { name: t(key) })
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: t('own.name') })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('name and phone', () => {
  it('are shown, the phone left to right', async () => {
    await open()
    expect(screen.getByText('Amina')).toBeTruthy()
    expect(screen.getByText('+966501234567').getAttribute('dir')).toBe('ltr')
  })

  it('are shown whole, also when a user’s name looks bilingual', async () => {
    await open({}, { ...amina, name: 'أمينة · Amina' })
    expect(screen.getByText('أمينة · Amina')).toBeTruthy()
  })

  it('show what is not on record, and are read-only for an agent', async () => {
    await open(
      { 'GET /api/auth/agent': { body: { success: true, agentId: 3, name: null, phone: '+966501234567' } } },
      { success: false },
    )
    expect(screen.getByText(t('own.none'))).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('changing the name', () => {
  it('works by keyboard, saves the trimmed name, announces it and restores the focus', async () => {
    const { person, sent, onEditing } = await open({ 'PATCH /api/auth/user': renamed })
    await person.tab()
    await person.keyboard('{Enter}')
    expect(document.activeElement).toBe(field())
    expect(onEditing).toHaveBeenLastCalledWith(true)
    await person.keyboard('{Control>}a{/Control}  Amina   Noor {Enter}')
    await screen.findByText('Amina Noor')
    expect(sent()).toEqual([{ name: 'Amina Noor' }])
    expect(document.activeElement).toBe(button('own.correct'))
    expect(screen.getByRole('status').textContent).toBe(t('own.saved'))
    expect(onEditing).toHaveBeenLastCalledWith(false)
  })

  it('is cancelled by Escape, and sends nothing without a change', async () => {
    const { person, sent } = await open()
    await person.click(button('own.correct'))
    await person.type(field(), 'x')
    await person.keyboard('{Escape}')
    expect(screen.getByText('Amina')).toBeTruthy()
    expect(document.activeElement).toBe(button('own.correct'))
    await person.click(button('own.correct'))
    await person.click(button('own.save'))
    expect(screen.getByText('Amina')).toBeTruthy()
    expect(sent()).toEqual([])
  })

  it.each([
    ['  ', 'errors.NAME_REQUIRED'],
    ['12', 'errors.NAME_INVALID'],
    ['Amina\ue000', 'errors.NAME_INVALID'],
  ])('refuses %j at the field, in the language on screen, without a request', async (typed, key) => {
    const { person, sent } = await open()
    await person.click(button('own.correct'))
    await person.clear(field())
    await person.click(field())
    await person.paste(typed)
    await person.keyboard('{Enter}')
    const message = () => document.getElementById(field().getAttribute('aria-describedby') ?? '')
    expect(message()?.textContent).toBe(t(key))
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field())
    void setLanguage('ar')
    await waitFor(() => expect(message()?.textContent).toBe(t(key)))
    await person.type(field(), 'ن')
    expect(field().getAttribute('aria-invalid')).toBeNull()
    expect(sent()).toEqual([])
  })

  it('that is too long stays whole in its field, which says the limit at once', async () => {
    const { person, sent } = await open()
    await person.click(button('own.correct'))
    await person.clear(field())
    await person.click(field())
    await person.paste('x'.repeat(81))
    expect(field().value).toHaveLength(81)
    expect(screen.getByText(/at most 80 letters/)).toBeTruthy()
    await person.keyboard('{Enter}')
    expect(sent()).toEqual([])
  })
})
