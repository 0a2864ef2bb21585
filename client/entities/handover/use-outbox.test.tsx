// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { emptyOutbox } from '#test/kit/client/empty-outbox.ts'
import { renderPage, type StubResponse, stubGateway } from '#test/kit/client/render-page.tsx'
import { changeEntry } from './outbox.store.ts'
import { keepHandover, readOutbox, sendOutbox } from './outbox.ts'
import { useOutbox } from './use-outbox.ts'

const agentId = 3
const [first, second, earlier] = ['290012345678', '290087654321', '290011112222'] as const
const signedIn: StubResponse = { body: { success: true, agentId, name: 'Counter 1', phone: '+9665' } }
const done: StubResponse = { body: { success: true } }

function Counter() {
  const { entries, confirm, undo } = useOutbox(agentId)
  return (
    <>
      <button type="button" onClick={() => void confirm(second)}>
        confirm
      </button>
      {entries.map(({ id, awb }) => (
        <button key={id} type="button" onClick={() => void undo(id)}>
          {awb}
        </button>
      ))}
    </>
  )
}

const button = (name: string) => screen.findByRole('button', { name })

beforeEach(emptyOutbox)

/** The next try that only time would start never comes. */
function withoutTimer(): void {
  const { setInterval } = globalThis
  const started = vi.spyOn(globalThis, 'setInterval')
  started.mockImplementation((run, ms) => setInterval(ms === 30_000 ? () => undefined : run, ms))
}

/** The first try waits for the session, with `first` to send; `earlier` was recorded before. */
async function openHanging() {
  const session = Promise.withResolvers<StubResponse>()
  let reads = 0
  const calls = stubGateway({
    'GET /api/auth/agent': () => {
      reads += 1
      return reads === 1 ? session.promise : signedIn
    },
    'POST /api/handovers': done,
    [`DELETE /api/handovers/${earlier}`]: done,
  })
  await keepHandover(agentId, earlier)
  const [entry] = await readOutbox(agentId)
  await changeEntry(entry?.id ?? '', (known) => ({ ...known, recordedAt: Date.now() }))
  await keepHandover(agentId, first)
  withoutTimer()
  renderPage(<Counter />)
  await waitFor(() => expect(reads).toBe(1))
  const sent = () =>
    calls
      .filter(({ path }) => path.startsWith('/api/handovers'))
      .map(({ method, path, body }) => [method, (body as { awb?: string })?.awb ?? path.split('/').at(-1)])
  return { sent, release: () => session.resolve(signedIn) }
}

it.each([
  ['confirmed', 'confirm', ['POST', second]],
  ['undone', earlier, ['DELETE', earlier]],
])('what is %s while the first try hangs is sent after it, once', async (_, name, call) => {
  const { sent, release } = await openHanging()
  await userEvent.click(await button(name))
  await waitFor(async () =>
    expect((await readOutbox(agentId)).some(({ awb, isUndone }) => awb === second || isUndone)).toBe(true),
  )
  release()
  await waitFor(() => expect(sent()).toEqual([['POST', first], call]))
  expect(await sendOutbox(agentId)).toBe('done')
  expect(sent()).toHaveLength(2)
})

it('shows a change that is stored during the first reading', async () => {
  stubGateway({})
  const reading = Promise.withResolvers<never[]>()
  const read = vi.spyOn(IDBIndex.prototype, 'getAll')
  read.mockReturnValueOnce(reading.promise as unknown as IDBRequest)
  renderPage(<Counter />)
  await waitFor(() => expect(read).toHaveBeenCalled())
  await keepHandover(agentId, first)
  reading.resolve([])
  await button(first)
})
