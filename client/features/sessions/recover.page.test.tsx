// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { problem, renderPage, type StubbedRoute, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { RecoverPage } from './recover.page.tsx'

const t = (key: string) => textOf('emails', key)
const box = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const button = (key: string) => screen.findByRole('button', { name: t(key) })

function open(seconds: { expiresInSeconds: number; resendInSeconds: number }, answer?: StubbedRoute) {
  const user = { id: 7, name: 'Amina', phone: '+966512345678' }
  const calls = stubGateway({
    'POST /api/auth/recover': { body: seconds },
    'POST /api/auth/recover/verify': answer ?? { body: { success: true, user } },
  })
  const onMoved = vi.fn()
  const show = () => renderPage(<RecoverPage onMoved={onMoved} />)
  show()
  const asked = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  async function ask(person: ReturnType<typeof userEvent.setup>): Promise<void> {
    await person.type(await box(t('email')), 'amina@example.com')
    await person.type(await box(textOf('sessions', 'phone')), '+966512345678')
    await person.click(await button('recovery.send'))
    await box(t('recovery.emailCode'))
  }
  return { person: userEvent.setup(), show, ask, asked, onMoved }
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

it('keeps its codes step while the tab is unloaded for the mailbox, sends again, and goes back with focus', async () => {
  const { person, show, ask, asked } = open({ expiresInSeconds: 600, resendInSeconds: 0 })
  await ask(person)
  cleanup()
  show()
  await box(t('recovery.emailCode'))
  await person.click(await button('recovery.again'))
  await screen.findByText(t('recovery.sent'), { selector: '.visually-hidden' })
  const body = { email: 'amina@example.com', phone: '+966512345678' }
  expect(asked()).toEqual([body, body])
  await person.click(await button('recovery.back'))
  const email = await box(t('email'))
  expect([document.activeElement, email.value]).toEqual([email, body.email])
  cleanup()
  show()
  await button('recovery.send')
})

it('says at once what to do where no letter comes, with the contact', async () => {
  const { person, ask } = open({ expiresInSeconds: 600, resendInSeconds: 60 })
  await ask(person)
  const summary = await screen.findByText(t('recovery.noLetter'))
  await person.click(summary)
  expect(summary.closest('details')?.open).toBe(true)
  expect(summary.closest('details')?.textContent).toContain('try tomorrow')
})

it('sends no second code before the server takes it, and forgets codes that are over', async () => {
  const { person, show, ask } = open({ expiresInSeconds: 600, resendInSeconds: 60 })
  await ask(person)
  expect(screen.queryByRole('button', { name: t('recovery.again') })).toBeNull()
  cleanup()
  const stored = JSON.parse(sessionStorage.getItem('signIn') ?? '')
  stored.sent.expiresAt = Date.now() - 1
  sessionStorage.setItem('signIn', JSON.stringify(stored))
  show()
  await button('recovery.send')
})

it('leads on once the account has moved, and keeps nothing of it', async () => {
  const { person, ask, asked, onMoved } = open({ expiresInSeconds: 600, resendInSeconds: 60 })
  await ask(person)
  await person.type(await box(t('recovery.emailCode')), '1234')
  expect(screen.queryByRole('textbox', { name: t('recovery.phoneCode') })).toBeNull()
  await person.dblClick(await button('recovery.next'))
  const phone = await box(t('recovery.phoneCode'))
  expect([document.activeElement, phone.ariaInvalid]).toEqual([phone, null])
  expect(screen.getAllByRole('textbox')).toEqual([phone])
  await person.type(phone, '5678')
  expect(onMoved).not.toHaveBeenCalled()
  await person.click(await button('recovery.confirm'))
  await vi.waitFor(() => expect(onMoved).toHaveBeenCalledOnce())
  expect(asked()[1]).toEqual({ emailCode: '1234', phoneCode: '5678' })
  expect(sessionStorage.getItem('signIn') ?? '').not.toContain('amina@example.com')
})

it('stays at an incomplete code, and leads back to the code that the server refuses', async () => {
  let refused = 'emailCode'
  const { person, ask, asked } = open({ expiresInSeconds: 600, resendInSeconds: 60 }, () =>
    problem(400, 'INVALID_CODE', 'Wrong code.', [{ field: refused, message: 'Wrong code.' }]),
  )
  await ask(person)
  await person.click(await button('recovery.next'))
  const email = await box(t('recovery.emailCode'))
  await screen.findByText(t('codeInvalid'))
  expect(document.activeElement).toBe(email)
  await person.type(email, '1111{Enter}')
  await person.type(await box(t('recovery.phoneCode')), '5678{Enter}')
  await screen.findByText('Wrong code.')
  const again = await box(t('recovery.emailCode'))
  expect([document.activeElement, again.value]).toEqual([again, '1111'])
  await person.clear(again)
  await person.type(again, '1234{Enter}')
  // The phone's code is still there.
  refused = 'phoneCode'
  expect((await box(t('recovery.phoneCode'))).value).toBe('5678')
  await person.click(await button('recovery.confirm'))
  await screen.findByText('Wrong code.')
  await box(t('recovery.phoneCode'))
  expect(asked().slice(1)).toEqual([
    { emailCode: '1111', phoneCode: '5678' },
    { emailCode: '1234', phoneCode: '5678' },
  ])
  await person.click(await button('recovery.emailCodeAgain'))
  await box(t('recovery.emailCode'))
})
