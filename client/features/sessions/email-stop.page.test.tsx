// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { EmailStopPage } from './email-stop.page.tsx'

const t = (key: string) => textOf('emails', key)
const path = 'POST /api/auth/email/stop'

const remove = async () => userEvent.click(await screen.findByRole('button', { name: t('stop.remove') }))

describe('the page of a letter to a new address', () => {
  it('changes nothing when it is opened, and removes the address by its button', async () => {
    const calls = stubGateway({ [path]: { body: { success: true } } })
    renderPage(<EmailStopPage />)
    await screen.findByText(t('stop.text'))
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
    await remove()
    expect((await screen.findByText(t('stop.done'))).getAttribute('role')).toBe('status')
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('says that its link has ended, and offers no other try', async () => {
    stubGateway({ [path]: problem(404, 'EMAIL_STOP_ENDED', 'ended') })
    renderPage(<EmailStopPage />)
    await remove()
    expect((await screen.findByRole('alert')).textContent).toBe('ended')
    expect(screen.queryByRole('button', { name: t('stop.remove') })).toBeNull()
  })

  it('can be tried again where the server was not reached', async () => {
    stubGateway({ [path]: problem(503, 'UNEXPECTED', 'Later') })
    renderPage(<EmailStopPage />)
    await remove()
    expect((await screen.findByRole('alert')).textContent).toBe('Later')
    expect(screen.getByRole('button', { name: t('stop.remove') })).toBeTruthy()
  })
})
