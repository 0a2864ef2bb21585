import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listenOnPostgres } from './notices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Listens on connections that are opened, or fail, as `connect` does. */
function openFixture(connect: () => Promise<void>) {
  const start = Date.now()
  const clients: EventEmitter[] = []
  const openedAt: number[] = []
  const logged: string[] = []
  const newClient = () => {
    openedAt.push(Date.now() - start)
    const query = async () => undefined
    const client = Object.assign(new EventEmitter(), { connect, query, end: async () => undefined })
    clients.push(client)
    return client as unknown as pg.Client
  }
  const nothing = { onNotice: () => undefined, onGap: () => undefined }
  const end = listenOnPostgres(newClient, nothing, ({ message }) => logged.push(message))
  return { clients, openedAt, logged, end }
}

it('a connection for notices that cannot be opened is tried again after pauses that grow to ten seconds, and logged once', async () => {
  const { openedAt, logged, end } = openFixture(() => Promise.reject(new Error('no server')))
  await vi.advanceTimersByTimeAsync(40_000)
  expect(openedAt).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 25_500, 35_500])
  expect(logged).toEqual(['no server'])
  await end()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(openedAt).toHaveLength(8)
})

it('a connection for notices that says late that it has ended takes nothing from the one that replaced it', async () => {
  const { clients, openedAt, logged, end } = openFixture(async () => undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  clients[0]?.emit('error', new Error('broken'))
  await vi.advanceTimersByTimeAsync(1_000)
  clients[0]?.emit('end')
  await vi.advanceTimersByTimeAsync(40_000)
  expect([openedAt, logged]).toEqual([[0, 1_500], ['broken']])
  await end()
})
