import { expect, it } from 'vitest'
import { readOrderEvents } from '#shared/orders/orders.api.ts'
import { readShareEvents } from '#shared/shares/shares.api.ts'
import { headerScope, openBrowser, openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { registerStream } from './register-stream.ts'
import { hashOf } from './secrets.ts'
import { type StreamReader, type Streams, streamsPerSession, streamsPerVisitor } from './streams.ts'

/** The stream of an order and that of a link, which end at once. */
async function openStreams() {
  const readers: StreamReader[] = []
  const streams: Pick<Streams, 'open'> = {
    async open(_, reader, begin) {
      readers.push(reader)
      begin()
      reader.end()
      return () => undefined
    },
  }
  const source = { topic: 'order', about: 42 } as const
  const app = await openFeatureApp((feature) => {
    registerStream(feature, headerScope, streams, readOrderEvents, async () => source)
    registerStream(feature, headerScope, streams, readShareEvents, async () => ({
      ...source,
      visitor: 'of this address',
    }))
  })
  const browser = openBrowser(app)
  const owner = { 'x-caller': '{"role":"user","userId":1}', 'x-session': 'token' }
  return {
    async readerOf(path: string, headers: object = owner) {
      expect((await browser.get(path, { ...headers })).status).toBe(200)
      const { key, most, previous, replaces } = readers.at(-1) ?? {}
      return { key, most, previous, replaces }
    },
    owner,
  }
}

it('a stream is counted for its session, or for the visitor where there is none', async () => {
  const { readerOf } = await openStreams()
  const one = { previous: undefined, replaces: false }
  const ofSession = { ...one, key: hashOf('token'), most: streamsPerSession }
  expect(await readerOf('/api/orders/42/events')).toEqual(ofSession)
  const ofVisitor = { ...one, key: 'of this address', most: streamsPerVisitor }
  expect(await readerOf('/api/track/a-link/events', {})).toEqual(ofVisitor)
})

it('a stream replaces the one before it, and all others only where it says so', async () => {
  const { readerOf, owner } = await openStreams()
  const again = { ...owner, 'last-event-id': 'the-one-before' }
  expect(await readerOf('/api/orders/42/events', again)).toMatchObject({
    previous: 'the-one-before',
    replaces: false,
  })
  expect(await readerOf('/api/orders/42/events?replace=1')).toMatchObject({
    previous: undefined,
    replaces: true,
  })
})
