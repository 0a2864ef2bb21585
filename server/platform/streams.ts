import { AsyncLocalStorage } from 'node:async_hooks'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { Database } from './database/database.ts'
import { failure, isFailure } from './errors.ts'
import type { Log } from './logging.ts'
import type { Metrics } from './metrics.ts'
import type { Random } from './random.ts'

export const streamTopics = ['order', 'share', 'agent', 'desk'] as const
type StreamTopic = (typeof streamTopics)[number]

export interface StreamSource {
  readonly topic: StreamTopic
  /** The subject: the id of an order, or the agent's id at the partner. At the desk: the id of the open order, or 0. */
  readonly about: number | string
  /**
   * Checks the reader's access before each notice and every minute. It throws a Failure when the ordinary request would
   * be refused; the stream then ends. Without `check` only the session is checked.
   */
  check?(): Promise<unknown>
  /**
   * Replaces `check`. Returns true only for a change that the reader is allowed to see, because a notice of another
   * change would disclose it.
   */
  hasChanged?(): Promise<boolean>
}

export interface StreamEvent {
  readonly id: string
  readonly name?: string
  readonly body: { readonly orderId?: number }
}

export interface StreamReader {
  /** The hash of a session's token, or a visitor. Streams with the same key are counted together. */
  readonly key: string
  readonly most: number
  /**
   * The id of the reader's previous stream. The new stream ends it, because a phone that changes its network leaves a
   * stream open.
   */
  readonly previous?: string | undefined
  /** Ends the reader's other streams that have this flag, because a proxy can hide that the reader left them. */
  readonly replaces?: boolean
  isAdmitted(): Promise<boolean>
  send(event?: StreamEvent): void
  end(): void
}

interface Stream {
  readonly id: string
  readonly source: StreamSource
  readonly reader: StreamReader
  /** Ids of changed orders. `undefined` is a notice about no single order. */
  readonly due: Set<number | undefined>
  beats: number
  hasBegun: boolean
  timer: NodeJS.Timeout | undefined
  isSending: boolean
}

export const streamsPerSession = 3
/** Many visitors can have the same address, for example the readers of one shared link. */
export const streamsPerVisitor = 10

/** Each event stream sends something after this time, because a proxy closes a connection that is silent for longer. */
const beatMs = 15_000
const beatsPerCheck = 4
const retryAfterSeconds = 10
/** All changes of the desk's work lists within this time cause one notice. */
const listNoticeMs = 1_000
/** When notices were possibly lost, the access checks of all streams are spread over this time. */
const gapMs = 5_000

export type Streams = ReturnType<typeof createStreams>

export interface StreamsParts {
  readonly database: Pick<Database, 'listen'>
  readonly log: Log
  readonly metrics: Metrics
  readonly random: Random
  readonly most: number
}

function createCounts(metrics: Metrics) {
  const open = { order: 0, share: 0, agent: 0, desk: 0 }
  metrics.gaugeBy(
    'amtiati_event_streams',
    'Open event streams, by what they tell of.',
    'topic',
    streamTopics,
    async () => new Map(Object.entries(open)),
  )
  const refused = metrics.counter(
    'amtiati_event_streams_refused_total',
    'Event streams refused because too many were open: of the gateway, of one session or of one visitor.',
    ['of'],
    [{ of: 'gateway' }, { of: 'reader' }],
  )
  return { open, refused }
}

/** Streams by their id, their topic and their reader. */
function createIndex() {
  const streams = new Map<string, Stream>()
  const ofTopic = new Map<string, Set<Stream>>()
  const ofReader = new Map<string, Set<Stream>>()
  return {
    streams,
    ofTopic,
    ofReader,
    add(stream: Stream): void {
      streams.set(stream.id, stream)
      add(ofTopic, topicOf(stream.source), stream)
      add(ofReader, stream.reader.key, stream)
    },
    /** @returns false when the stream was not there */
    delete(stream: Stream): boolean {
      drop(ofTopic, topicOf(stream.source), stream)
      drop(ofReader, stream.reader.key, stream)
      return streams.delete(stream.id)
    },
    /** The streams that end when their reader opens another one. */
    listReplaced: ({ previous, key, replaces }: StreamReader): readonly Stream[] =>
      [...(ofReader.get(key) ?? [])].filter(
        ({ id, reader }) => id === previous || (replaces && reader.replaces),
      ),
    listOf: (topic: StreamSource['topic']): readonly Stream[] =>
      [...streams.values()].filter(({ source }) => source.topic === topic),
  }
}

export function createStreams({ database, log, metrics, random, most }: StreamsParts) {
  const index = createIndex()
  const { streams, ofTopic, ofReader } = index
  // A notice must not run in the context of the request that made the change.
  const apart = AsyncLocalStorage.snapshot()
  let findAgent: (orderId: number) => Promise<string | undefined> = async () => undefined
  let stopListening: (() => Promise<void>) | undefined
  let isClosing = false
  let isFailing = false
  let deskTimer: NodeJS.Timeout | undefined
  const { open, refused } = createCounts(metrics)

  function close(stream: Stream) {
    if (!index.delete(stream)) return
    open[stream.source.topic] -= 1
    clearInterval(stream.timer)
  }

  function end(stream: Stream) {
    if (!streams.has(stream.id)) return
    close(stream)
    if (stream.hasBegun) sayEnd(stream)
  }

  function notify(stream: Stream, orderId?: number) {
    stream.due.add(orderId)
    void apart(sendDue, stream)
  }

  function notifyTopic(topic: string, orderId?: number) {
    for (const stream of ofTopic.get(topic) ?? []) notify(stream, orderId)
  }

  async function sendDue(stream: Stream) {
    if (stream.isSending) return
    stream.isSending = true
    let isSent = true
    while (isSent && stream.due.size > 0 && streams.has(stream.id)) isSent = await sendNotices(stream)
    stream.isSending = false
  }

  /** @returns false when the check fails */
  async function sendNotices(stream: Stream): Promise<boolean> {
    const notices = [...stream.due]
    stream.due.clear()
    try {
      const hasChanged = await checkForChange(stream.source)
      isFailing = false
      if (hasChanged && streams.has(stream.id)) send(stream, notices)
      return true
    } catch (error) {
      if (isRefusal(error)) end(stream)
      else sendLater(stream, notices, error)
      return false
    }
  }

  function sendLater(stream: Stream, notices: readonly (number | undefined)[], error: unknown) {
    for (const notice of notices) stream.due.add(notice)
    if (!isFailing) log.error({ event: 'streams.check-failed', err: error })
    isFailing = true
  }

  async function beat(stream: Stream) {
    stream.beats += 1
    if (stream.beats % beatsPerCheck === 0 && (await hasEnded(stream))) end(stream)
    if (!streams.has(stream.id)) return
    stream.reader.send()
    await sendDue(stream)
  }

  async function notifyOrder(orderId: number) {
    notifyTopic(`order ${orderId}`, orderId)
    notifyTopic(`share ${orderId}`)
    if (open.agent === 0) return
    const agent = await findAgent(orderId).catch(() => null)
    // The agent of the order is unknown, so all streams of agents end, and their apps read the lists again.
    if (agent === null) for (const stream of index.listOf('agent')) end(stream)
    else notifyTopic(`agent ${agent}`, orderId)
  }

  function notifyDesk(orderId: number, changesLists: boolean) {
    if (orderId > 0) notifyTopic(`desk ${orderId}`, orderId)
    if (!changesLists) return
    deskTimer ??= setTimeout(() => {
      deskTimer = undefined
      for (const stream of index.listOf('desk')) notify(stream)
    }, listNoticeMs).unref()
  }

  /**
   * Runs when the stream can have missed a notice. The stream of a list ends, so that its reader opens a new one and
   * reads the list.
   */
  function catchUp(stream: Stream) {
    if (stream.source.topic === 'agent' || stream.source.topic === 'desk') end(stream)
    else for (const notice of firstNotices(stream.source)) notify(stream, notice)
  }

  function endOf(key: string) {
    for (const stream of ofReader.get(key) ?? []) end(stream)
  }

  function expectRoom({ topic }: StreamSource, { key, most: mostOfReader }: StreamReader) {
    // At most half of all streams are for shared links, which anyone can open.
    const isFull = streams.size >= most || (topic === 'share' && open.share >= most / 2)
    const of = isFull ? 'gateway' : 'reader'
    if (!isFull && (ofReader.get(key)?.size ?? 0) < mostOfReader) return
    refused.inc({ of })
    throw failure(platformErrors, 'TOO_MANY_STREAMS', { retryAfterSeconds })
  }

  return {
    start(): void {
      stopListening ??= database.listen({
        onNotice({ channel, what }) {
          if (channel === 'amtiati_sessions') return apart(endOf, what)
          if (streams.size === 0 || what === '') return
          const orderId = Number(what)
          if (open.desk > 0) apart(notifyDesk, orderId, channel !== 'amtiati_desk_order')
          if (channel === 'amtiati_orders') void apart(notifyOrder, orderId)
        },
        onGap() {
          let after = 0
          for (const stream of streams.values()) {
            setTimeout(() => catchUp(stream), after).unref()
            after += gapMs / streams.size
          }
        },
      })
    },
    async stop(): Promise<void> {
      clearTimeout(deskTimer)
      deskTimer = undefined
      await stopListening?.()
      stopListening = undefined
    },

    endAll(): void {
      isClosing = true
      for (const stream of streams.values()) end(stream)
    },

    setAgentFinder(find: typeof findAgent): void {
      findAgent = find
    },

    /**
     * The first notice makes the reader read earlier changes; an agent's stream gets no first notice. The returned
     * function closes the stream silently.
     */
    async open(source: StreamSource, reader: StreamReader, begin: () => void): Promise<() => void> {
      for (const replaced of index.listReplaced(reader)) end(replaced)
      expectRoom(source, reader)
      const stream = newStream(random.uuid(), source, reader)
      // The stream must be stored before the access check, so that no change is missed.
      index.add(stream)
      open[source.topic] += 1
      try {
        await checkForChange(source)
        begin()
      } catch (error) {
        close(stream)
        throw error
      }
      stream.hasBegun = true
      if (streams.has(stream.id)) send(stream, firstNotices(source))
      else sayEnd(stream)
      stream.isSending = false
      if (isClosing) end(stream)
      if (streams.has(stream.id)) {
        stream.timer = setInterval(() => void beat(stream), beatMs).unref()
        void apart(sendDue, stream)
      }
      return () => close(stream)
    },

    beat: () => Promise.all([...streams.values()].map(beat)),

    size: () => streams.size,
  }
}

const newStream = (id: string, source: StreamSource, reader: StreamReader): Stream => ({
  id,
  source,
  reader,
  due: new Set<number | undefined>(),
  beats: 0,
  timer: undefined,
  hasBegun: false,
  isSending: true,
})

function send({ id, reader }: Stream, notices: Iterable<number | undefined>) {
  for (const orderId of notices) reader.send({ id, body: orderId === undefined ? {} : { orderId } })
}

function sayEnd({ id, reader }: Stream) {
  reader.send({ id, name: 'closing', body: {} })
  reader.end()
}

const topicOf = ({ topic, about }: StreamSource) => `${topic} ${about}`

function firstNotices({ topic, about }: StreamSource): readonly (number | undefined)[] {
  if (topic === 'agent') return []
  if (topic === 'order') return [Number(about)]
  return topic === 'desk' && Number(about) > 0 ? [undefined, Number(about)] : [undefined]
}

async function checkForChange(source: StreamSource) {
  if (source.hasChanged) return source.hasChanged()
  await source.check?.()
  return true
}

const isRefusal = (error: unknown) => isFailure(error) && error.row.status < 500

async function hasEnded({ reader, source }: Stream) {
  try {
    if (!(await reader.isAdmitted())) return true
    await source.check?.()
    return false
  } catch (error) {
    return isRefusal(error)
  }
}

function add<V>(index: Map<string, Set<V>>, key: string, value: V) {
  const known = index.get(key) ?? new Set()
  index.set(key, known.add(value))
}

function drop<V>(index: Map<string, Set<V>>, key: string, value: V) {
  const known = index.get(key)
  known?.delete(value)
  if (known?.size === 0) index.delete(key)
}
