// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { changeEntry } from '#client/entities/handover/outbox.store.ts'
import { countWaiting, keepHandover, readOutbox } from '#client/entities/handover/outbox.ts'
import { replaceDocument } from '#client/platform/document.ts'
import { emptyOutbox } from '#test/kit/client/empty-outbox.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AppRoutes } from './router.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  openDocument: vi.fn(),
  replaceDocument: vi.fn(),
}))

const agentId = 3
const anAgent = { success: true, agentId, name: 'Counter 1', phone: '+966500000101' }

function open(at: string) {
  const calls = stubGateway({
    'GET /api/auth/user': problem(401, 'NOT_SIGNED_IN', 'Please sign in first.'),
    'GET /api/auth/agent': { body: anAgent },
    'POST /api/auth/logout': { body: { success: true } },
  })
  renderPage(<AppRoutes />, { at })
  const loggedOut = () => calls.some(({ path }) => path === '/api/auth/logout')
  return { loggedOut, person: userEvent.setup() }
}

const warning = (key: string, values?: Record<string, unknown>) => textOf('unsent-warning', key, values)

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  vi.mocked(replaceDocument).mockReset()
  await emptyOutbox()
})

it('the scanner opens only in a document of its own, whose policy allows the camera', async () => {
  open('/agent-scan')
  await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith('/agent-scan'))
})

describe('signing out as an agent', () => {
  const logout = async () =>
    within(await screen.findByRole('navigation', { name: textOf('shell', 'account') })).getByRole('button', {
      name: textOf('shell', 'logout'),
    })

  it('names the agent of this browser until then, so that the scanner opens without a network', async () => {
    const { person, loggedOut } = open('/privacy-policy')
    const button = await logout()
    expect(localStorage.getItem('scanAgent')).toBe('3')
    await person.click(button)
    await waitFor(() => expect(loggedOut()).toBe(true))
    await waitFor(() => expect(localStorage.getItem('scanAgent')).toBeNull())
  })

  it('warns while confirmations wait, and keeps them for this agent', async () => {
    await keepHandover(agentId, '290012345678')
    await keepHandover(agentId, '290087654321')
    const { person, loggedOut } = open('/privacy-policy')
    await person.click(await logout())
    const dialog = within(await screen.findByRole('dialog', { name: warning('title', { count: 2 }) }))
    await person.click(dialog.getByRole('button', { name: warning('stay') }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(loggedOut()).toBe(false)

    await person.click(await logout())
    const again = within(await screen.findByRole('dialog'))
    await person.click(again.getByRole('button', { name: warning('leave') }))
    await waitFor(() => expect(loggedOut()).toBe(true))
    expect(await countWaiting(agentId)).toBe(2)
  })

  it('does not warn of what was sent, nor of what waits for another agent', async () => {
    await keepHandover(agentId, '290012345678')
    const [entry] = await readOutbox(agentId)
    await changeEntry(entry?.id ?? '', (kept) => ({ ...kept, recordedAt: Date.now() }))
    await keepHandover(4, '290087654321')
    const { person, loggedOut } = open('/privacy-policy')
    await person.click(await logout())
    await waitFor(() => expect(loggedOut()).toBe(true))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
