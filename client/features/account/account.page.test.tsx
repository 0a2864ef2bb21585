// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ownKeptOrders, readKeptOrders } from '#client/entities/order/kept-orders.ts'
import type { SessionView } from '#shared/sessions/sessions.schemas.ts'
import { orderOf } from '#test/builders/answer.builder.ts'
import {
  problem,
  renderPage,
  type StubbedRoute,
  stubGateway,
  stubNavigator,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { AccountPage } from './account.page.tsx'

const listPath = 'GET /api/auth/sessions'
const t = (key: string, values = {}) => textOf('account', key, values)
const ok = { body: { success: true } }
const times = { createdAt: '2027-05-18T12:30:00.000Z', lastSeenAt: '2027-05-18T13:00:00.000Z' }
const here: SessionView = { id: 'id-here', device: 'Chrome · Android', isCurrent: true, ...times }
const there: SessionView = { id: 'id-there', device: 'Safari · iPhone', isCurrent: false, ...times }
const unknown: SessionView = { id: 'id-unknown', device: null, isCurrent: false, ...times }
const listOf = (...sessions: readonly SessionView[]) => ({ body: { success: true, sessions } })

function show(change: Partial<Parameters<typeof AccountPage>[0]> = {}, language: 'ar' | 'en' = 'en') {
  const onEnded = vi.fn()
  renderPage(
    <AccountPage
      isAgent={false}
      details={null}
      email={() => null}
      confirming={async (_purpose, run) => void (await run().catch(() => undefined))}
      onEnded={onEnded}
      {...change}
    />,
    {
      language,
    },
  )
  return onEnded
}

/** Renders the page of a user with one session. `routes` adds answers of the server. */
function open(routes: Readonly<Record<string, StubbedRoute>> = {}, ...shown: Parameters<typeof show>) {
  const calls = stubGateway({ [listPath]: listOf(here), ...routes })
  return { calls, onEnded: show(...shown) }
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })
/** The list of the user's one session is read. */
const hasLoaded = () => screen.findByText(t('sessions.empty'))
/** Unfolds what the page keeps out of the way. */
const openData = async () => {
  const summary = screen.getByText(t('data'))
  if (!summary.closest('details')?.open) await userEvent.click(summary)
}
const entry = async (device: string) => {
  const heading = await screen.findByRole('heading', { level: 3, name: device })
  const item = heading.closest('li')
  if (item === null) throw new Error(`${device} is not in a list`)
  return within(item)
}

describe('messages by SMS', () => {
  const userPath = 'GET /api/auth/user'
  const own = (messages?: boolean) => ({
    body: {
      success: true,
      userId: 1,
      name: 'Sara',
      phone: '+966500000001',
      ...(messages === undefined ? {} : { messages }),
    },
  })

  it('are switched off and on again', async () => {
    let isOn = true
    const { calls } = open({
      [userPath]: () => own(isOn),
      'PATCH /api/auth/user': ({ body }) => {
        isOn = (body as { messages: boolean }).messages
        return {
          body: { success: true, user: { id: 1, name: 'Sara', phone: '+966500000001', messages: isOn } },
        }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: t('messages.switchOff') }))
    await screen.findByText(t('messages.off'))
    await userEvent.click(await screen.findByRole('button', { name: t('messages.switchOn') }))
    await screen.findByText(t('messages.on'))
    expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(2)
  })

  it('show why they could not be switched', async () => {
    open({ [userPath]: own(true), 'PATCH /api/auth/user': problem(503, 'UNEXPECTED', 'Later') })
    await userEvent.click(await screen.findByRole('button', { name: t('messages.switchOff') }))
    expect((await screen.findByRole('alert')).textContent).toBe('Later')
    expect(screen.getByText(t('messages.on'))).toBeTruthy()
  })

  it('are not offered where none are sent', async () => {
    const { calls } = open({ [userPath]: own() })
    await hasLoaded()
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/auth/user')).toBe(true))
    expect(screen.queryByText(t('messages.title'))).toBeNull()
  })
})

describe('my sessions', () => {
  it('are those of other devices, with the Saudi time of their last use', async () => {
    stubGateway({ [listPath]: listOf(here, there, unknown) })
    show()
    const other = await entry('Safari · iPhone')
    expect(other.getByText(/^18 May.*, 16:00$/)).toBeTruthy()
    await entry(t('sessions.unknownDevice'))
    expect(screen.queryByText('Chrome · Android')).toBeNull()
    expect(screen.queryByText(t('sessions.empty'))).toBeNull()
  })

  it('show a text, and no button that ends them, when there are none', async () => {
    open()
    await hasLoaded()
    expect(screen.queryByRole('button', { name: t('sessions.everywhere') })).toBeNull()
  })

  it('end one by one, announced, with the focus moved to the heading', async () => {
    let isOver = false
    const calls = stubGateway({
      [listPath]: () => (isOver ? listOf(here) : listOf(here, there)),
      'DELETE /api/auth/sessions/id-there': () => {
        isOver = true
        return ok
      },
    })
    const onEnded = show()
    const other = await entry('Safari · iPhone')
    await userEvent.click(
      other.getByRole('button', { name: /^End the session of Safari · iPhone, signed in/ }),
    )
    await waitFor(() => expect(screen.queryByText('Safari · iPhone')).toBeNull())
    expect(screen.getByText(t('sessions.ended')).getAttribute('role')).toBe('status')
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: t('sessions.title') }))
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    expect(onEnded).not.toHaveBeenCalled()
  })

  it('send one request, and the button shows the progress', async () => {
    const answer = Promise.withResolvers<typeof ok>()
    const calls = stubGateway({
      [listPath]: listOf(here, there),
      'DELETE /api/auth/sessions/id-there': () => answer.promise,
    })
    show()
    const end = (await entry('Safari · iPhone')).getByRole('button')
    expect([end.textContent, end.ariaDisabled]).toEqual([t('sessions.end'), 'false'])
    await userEvent.click(end)
    await waitFor(() => expect(end.ariaDisabled).toBe('true'))
    expect([end.textContent, end.ariaLabel]).toEqual([t('sessions.ending'), t('sessions.ending')])
    await userEvent.click(end)
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    answer.resolve(ok)
    await waitFor(() => expect(end.ariaDisabled).toBe('false'))
  })

  it('show why one could not be ended, and reload the list', async () => {
    const calls = stubGateway({
      [listPath]: listOf(here, there),
      'DELETE /api/auth/sessions/id-there': problem(404, 'SESSION_NOT_FOUND', 'It has ended.'),
    })
    show()
    const other = await entry('Safari · iPhone')
    await userEvent.click(other.getByRole('button'))
    expect((await screen.findByRole('alert')).textContent).toBe('It has ended.')
    await waitFor(() => expect(calls.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1))
  })

  it('show a failure with a retry button', async () => {
    let isDown = true
    stubGateway({ [listPath]: () => (isDown ? problem(503, 'UNEXPECTED', 'Later') : listOf(here)) })
    show()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain(t('sessions.failed'))
    expect(alert.textContent).toContain('Later')
    isDown = false
    await userEvent.click(within(alert).getByRole('button'))
    await hasLoaded()
  })

  it('all end at once, and the page is left for the home page', async () => {
    stubGateway({ [listPath]: listOf(here, there), 'POST /api/auth/logout-everywhere': ok })
    const onEnded = show()
    await entry('Safari · iPhone')
    await userEvent.dblClick(button(t('sessions.everywhere')))
    await waitFor(() => expect(onEnded).toHaveBeenCalledTimes(1))
  })

  it('stay when the server does not end them, and the failure is shown', async () => {
    const { onEnded } = open({
      [listPath]: listOf(here, there),
      'POST /api/auth/logout-everywhere': problem(503, 'UNEXPECTED', 'Later'),
    })
    await entry('Safari · iPhone')
    await userEvent.click(button(t('sessions.everywhere')))
    expect((await screen.findByRole('alert')).textContent).toBe('Later')
    expect(onEnded).not.toHaveBeenCalled()
    expect(button(t('sessions.everywhere')).getAttribute('aria-disabled')).toBe('false')
  })
})

describe('my data', () => {
  it('is offered as a download, once that is confirmed', async () => {
    const links: (string | null)[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      links.push(this.getAttribute('href'))
      expect(this.hasAttribute('download')).toBe(true)
    })
    const confirming = vi.fn(async (_purpose: string, run: () => Promise<unknown>) => void (await run()))
    open({}, { confirming })
    await openData()
    await userEvent.click(button(t('export.download')))
    expect(confirming).toHaveBeenCalledWith('export', expect.any(Function))
    expect(links).toEqual(['/api/auth/user/export'])
    await hasLoaded()
  })

  it('has no download and no deletion for agents, whose data the shipping partner manages', async () => {
    open({}, { isAgent: true })
    await hasLoaded()
    expect(screen.queryByRole('button', { name: t('export.download') })).toBeNull()
    expect(screen.queryByRole('button', { name: t('remove.open') })).toBeNull()
  })
})

describe('deleting my account', () => {
  const path = 'DELETE /api/auth/user'
  const openDialog = async () => {
    await hasLoaded()
    await openData()
    await userEvent.click(button(t('remove.open')))
    return within(await screen.findByRole('dialog', { name: t('remove.dialog') }))
  }

  it('asks for confirmation, and lists what is deleted and what stays', async () => {
    const { calls } = open({ [path]: ok })
    const dialog = await openDialog()
    for (const key of ['goesPerson', 'goesLabels', 'goesSessions', 'staysOrders', 'staysPartners'])
      expect(dialog.getByText(t(`remove.${key}`))).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: t('remove.keep') }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(document.activeElement).toBe(button(t('remove.open')))
  })

  it('happens once after confirmation, and is shown before the page is left', async () => {
    const { calls, onEnded } = open({ [path]: ok })
    const dialog = await openDialog()
    const confirm = dialog.getByRole('button', { name: t('remove.confirm') })
    // Both presses come before the button shows its busy state.
    for (let press = 0; press < 2; press += 1) fireEvent.click(confirm)
    const farewell = within(await screen.findByRole('dialog', { name: t('remove.done') }))
    expect(farewell.getByText(t('remove.doneText'))).toBeTruthy()
    const home = farewell.getByRole('button', { name: t('remove.home') })
    expect(document.activeElement).toBe(home)
    expect(onEnded).not.toHaveBeenCalled()
    await userEvent.click(home)
    expect(onEnded).toHaveBeenCalledTimes(1)
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })

  it('wipes what the browser holds of the user before the page is left', async () => {
    const unsubscribe = vi.fn()
    const registration = {
      pushManager: { getSubscription: async () => ({ unsubscribe }) },
      getNotifications: async () => [],
    }
    const serviceWorker = { getRegistration: async () => registration }
    stubNavigator({ serviceWorker })
    vi.stubGlobal('Notification', { permission: 'granted' })
    ownKeptOrders(7)
    open({ [path]: ok })
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('button', { name: t('remove.confirm') }))
    await waitFor(() => expect(unsubscribe).toHaveBeenCalledOnce())
    expect(readKeptOrders()).toBeUndefined()
    expect(screen.getByRole('dialog', { name: t('remove.done') })).toBeTruthy()
  })

  it('shows in the dialog why it failed, and can be retried', async () => {
    const { onEnded } = open({
      [path]: problem(409, 'ACCOUNT_HAS_OPEN_ORDERS', 'An airway bill is not issued yet.'),
    })
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('button', { name: t('remove.confirm') }))
    expect((await dialog.findByRole('alert')).textContent).toBe(
      `${t('remove.failed')} An airway bill is not issued yet.`,
    )
    expect(dialog.getByRole('button', { name: t('remove.confirm') })).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: t('remove.keep') }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // Reopening the dialog clears the old failure.
    const again = await openDialog()
    expect(again.queryByRole('alert')).toBeNull()
    expect(onEnded).not.toHaveBeenCalled()
  })

  const refusalWith = (...orders: readonly { orderId: number; amount: number; cancellable: boolean }[]) => ({
    status: 409,
    body: { ...(problem(409, 'ACCOUNT_HAS_PAID_ORDERS', 'A paid order.').body as object), orders },
  })

  it('names a paid order with its amount and cancels it', async () => {
    const { calls } = open({
      [path]: refusalWith(
        { orderId: 30, amount: 50, cancellable: true },
        { orderId: 31, amount: 75, cancellable: false },
      ),
      'POST /api/orders/30/cancel': { body: { success: true, order: orderOf({ orderId: 30 }) } },
    })
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('button', { name: t('remove.confirm') }))
    const [first, second] = (await dialog.findAllByText(/^OD-3/)).map((each) => each.closest('li'))
    expect(first?.textContent).toContain('50.00')
    expect(second?.textContent).toContain(t('remove.paid.notCancellable'))
    // One order can be cancelled, so the dialog does not say that the paid orders are lost.
    expect(dialog.queryByText(t('remove.paid.lost'))).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: textOf('cancel-order', 'confirm.paid') }))
    expect((await dialog.findByRole('status')).textContent).toBe(t('remove.paid.cancelled'))
    await userEvent.click(dialog.getByRole('button', { name: t('remove.confirm') }))
    expect(calls.filter(({ method }) => method !== 'GET').map((each) => each.method)).toEqual([
      'DELETE',
      'POST',
      'DELETE',
    ])
  })

  it('gives up what cannot be cancelled only after that was confirmed', async () => {
    const asked: (string | undefined)[] = []
    open({
      [path]: ({ query: { forfeit } }) => {
        asked.push(forfeit)
        return forfeit === '1' ? ok : refusalWith({ orderId: 31, amount: 75, cancellable: false })
      },
    })
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('button', { name: t('remove.confirm') }))
    expect(await dialog.findByText(t('remove.paid.lost'))).toBeTruthy()
    expect(asked).toEqual([undefined])
    await userEvent.click(dialog.getByRole('button', { name: t('remove.forfeit') }))
    await screen.findByRole('dialog', { name: t('remove.done') })
    expect(asked).toEqual([undefined, '1'])
  })
})
