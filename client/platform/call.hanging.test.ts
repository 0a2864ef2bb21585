// @vitest-environment jsdom
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { call } from './call.ts'
import { operationHref } from './operation-href.ts'

const timeoutMs = 30_000

/** A server that never completes a response: no headers, or headers and half a body. */
async function openHangingServer(sends: 'nothing' | 'half a body') {
  const server = createServer((_, response) => {
    if (sends === 'nothing') return
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"success":true,')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { fetch } = globalThis
  const answered = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const pending = fetch(`http://127.0.0.1:${port}${path}`, init)
    if (sends === 'nothing') answered.resolve()
    const response = await pending
    answered.resolve()
    return response
  })
  close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { answered: answered.promise }
}

let close = async () => {}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  delete window.firstAnswers
  await close()
})

/** As the script before the app begins it. */
function beginBefore(): void {
  vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const href = operationHref(readUserSession)
  const stop = new AbortController()
  const answer = fetch(href, { signal: stop.signal })
  answer.catch(() => undefined)
  window.firstAnswers = new Map([[href, { answer, stop, at: Date.now() }]])
}

describe.each([
  ['nothing', false],
  ['half a body', false],
  ['nothing', true],
  ['half a body', true],
] as const)('a server that sends %s and then hangs (a call begun by the document: %s)', (sends, isBegun) => {
  it('ends after thirty seconds and not before', async () => {
    const { answered } = await openHangingServer(sends)
    if (isBegun) beginBefore()
    const settled = vi.fn()
    const pending = call(readUserSession).catch((error: unknown) => {
      settled()
      throw error
    })
    pending.catch(() => undefined)
    await answered
    await vi.advanceTimersByTimeAsync(timeoutMs - 1)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await expect(pending).rejects.toMatchObject({ code: 'UNREACHABLE', status: 0 })
  })

  it('ends at once on an abort, with its reason', async () => {
    const { answered } = await openHangingServer(sends)
    if (isBegun) beginBefore()
    const controller = new AbortController()
    const pending = call(readUserSession, { signal: controller.signal })
    pending.catch(() => undefined)
    await answered
    controller.abort(new Error('left the page'))
    await expect(pending).rejects.toThrow('left the page')
  })
})
