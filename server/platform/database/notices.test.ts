import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { listenOnPostgres } from './notices.ts'

it('a connection for notices that cannot be opened is tried again after pauses that grow to ten seconds, and logged once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const start = Date.now()
  const tries: number[] = []
  const logged: string[] = []
  const newClient = () => {
    tries.push(Date.now() - start)
    const connect = () => Promise.reject(new Error('no server'))
    return Object.assign(new EventEmitter(), { connect, end: async () => undefined }) as unknown as pg.Client
  }
  const nothing = { onNotice: () => undefined, onGap: () => undefined }
  const end = listenOnPostgres(newClient, nothing, ({ message }) => logged.push(message))
  await vi.advanceTimersByTimeAsync(40_000)
  expect(tries).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 25_500, 35_500])
  expect(logged).toEqual(['no server'])
  await end()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(tries).toHaveLength(8)
})
