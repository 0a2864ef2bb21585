import { beforeEach, describe, expect, it, vi } from 'vitest'

const origin = 'https://amtiati.example'
const offline = { release: 'r2', orderPages: ['orders'], files: [], rareFiles: [] }

/** Runs the worker with this storage. @returns what it answers, and what it goes on with after that. */
async function started(caches: object) {
  const listeners = new Map<string, (event: object) => void>()
  const addEventListener = (type: string, run: (event: object) => void) => listeners.set(type, run)
  const scope = { addEventListener, caches, location: new URL(origin), __OFFLINE__: offline }
  for (const [name, value] of Object.entries(scope)) vi.stubGlobal(name, value)
  vi.stubGlobal('fetch', async ({ url }: Request) => new Response(`the server’s ${new URL(url).pathname}`))
  vi.resetModules()
  await import('./sw.ts')
  return async (path: string, mode: 'cors' | 'navigate') => {
    const answer = Promise.withResolvers<Response>()
    const later: Promise<unknown>[] = []
    const request = { method: 'GET', mode, url: origin + path }
    const waitUntil = (work: Promise<unknown>) => later.push(work)
    listeners.get('fetch')?.({ request, respondWith: answer.resolve, waitUntil })
    return { text: await (await answer.promise).text(), after: await Promise.allSettled(later) }
  }
}

describe('a file or document that the phone has not stored', () => {
  const put = vi.fn<(request: unknown, response: Response) => Promise<void>>()
  const caches = { match: async () => undefined, open: async () => ({ put, match: async () => undefined }) }
  const full = async () => {
    throw new DOMException('full', 'QuotaExceededError')
  }

  beforeEach(() => void put.mockReset())

  it('comes from the server, and is stored beside it', async () => {
    const ask = await started(caches)
    const { text, after } = await ask('/assets/index-new.js', 'cors')
    expect(text).toBe('the server’s /assets/index-new.js')
    expect(after).toEqual([{ status: 'fulfilled', value: undefined }])
    expect(await put.mock.calls[0]?.[1].text()).toBe(text)
  })

  it.each([
    ['is full', { ...caches, open: async () => ({ put: full, match: async () => undefined }) }],
    ['answers nothing', { match: full, open: full }],
  ])('comes from the server on a phone whose storage %s', async (_, broken) => {
    const ask = await started(broken)
    const { text, after } = await ask('/assets/index-new.js', 'cors')
    expect(text).toBe('the server’s /assets/index-new.js')
    expect(after).toEqual([{ status: 'fulfilled', value: undefined }])
    expect((await ask('/orders/42', 'navigate')).text).toBe('the server’s /orders/42')
  })
})
