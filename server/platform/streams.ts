import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { Database } from './database/database.ts'
import { failure, isFailure } from './errors.ts'
import type { Log } from './logging.ts'
import type { Metrics } from './metrics.ts'

/** What a stream tells of: an order's page, the page behind a shared link, the list of an agent, or the desk. */
export const streamTopics = ['order', 'share', 'agent', 'desk'] as const
type StreamTopic = (typeof streamTopics)[number]

/** Counted up with what the gateway is told of, so that what was read serves until then. */
export interface DeskRevisions {
  /** What changes the work lists at once. */
  readonly acts: number
  /** What pilgrims, agents and workers do with orders. */
  readonly orders: number
  /** Rows of the lists that change hands, and what is recorded about orders. */
  readonly takes: number
}

export interface StreamSource {
  readonly topic: StreamTopic
  /** Number of the order (of the desk the one that is open, or 0), or the partner's id of the agent. */
  readonly about: number | string
  /**
   * What is sent: to begin with, and as what it tells of may have changed. Undefined: nothing.
   * @param changed the order that changed, for the list of an agent; for the desk the order that is open
   * @throws Failure when there is nothing to read any more: the stream ends.
   */
  read(changed?: number): Promise<object | undefined>
}

/** `name`: where it is not that of the operation. */
export interface StreamEvent {
  readonly id: string
  readonly name?: string
  readonly body: object
}

export interface StreamReader {
  /** Whose streams are counted together: a session by the hash of its token, or a visitor. */
  readonly key: string
  /** Open at once, of one reader. */
  readonly most: number
  /** The last stream of this reader, which this one replaces: a phone that changes its network leaves one behind. */
  readonly previous?: string | undefined
  /** Whether it replaces every stream of this reader that does so, too: a proxy may not tell that those were left. */
  readonly replaces?: boolean
  /** Whether the session still is what it was. */
  isAdmitted(): Promise<boolean>
  /** @param event without it a comment, which keeps the connection */
  send(event?: StreamEvent): void
  end(): void
}

interface Stream {
  readonly id: string
  readonly source: StreamSource
  readonly reader: StreamReader
  /** What is to be read: an order that changed, or all there is (undefined). */
  readonly due: Set<number | undefined>
  beats: number
  /** What it begins with is sent. */
  hasBegun: boolean
  timer: NodeJS.Timeout | undefined
  isReading: boolean
  last: string
}

/** Of one session, on one gateway. */
export const streamsPerSession = 3
/** Of one link at one address, which many people may share. */
export const streamsPerVisitor = 10

/** A connection that is silent for longer is closed by proxies on the way. */
const beatMs = 15_000
/** Then the session is checked and everything read again, also what changes with time alone. */
const beatsPerCheck = 4
/** Of all streams together: when a connection to the database was lost, every stream reads again. */
const readsAtOnce = 8
/** Orders that one stream has not told of; beyond them it ends, and its reader begins anew. */
const mostDue = 1_000
const retryAfterSeconds = 10
/** Work lists are read again so long after the first of several changes. */
const deskPauseMs = 1_000

export type Streams = ReturnType<typeof createStreams>

export interface StreamsParts {
  readonly database: Pick<Database, 'listen'>
  readonly log: Log
  readonly metrics: Metrics
  /** Streams open at once. */
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

/** Streams of one gateway, which are told what committed transactions change. */
export function createStreams({ database, log, metrics, most }: StreamsParts) {
  const streams = new Map<string, Stream>()
  const ofTopic = new Map<string, Set<Stream>>()
  const ofReader = new Map<string, Set<Stream>>()
  const takeTurn = createGate(readsAtOnce)
  // Notices arrive in the middle of the request that made the change, of which their reading is no part.
  const apart = AsyncLocalStorage.snapshot()
  /** The agent whose list an order is in. */
  let findAgent: (orderId: number) => Promise<string | undefined> = async () => undefined
  let stopListening: (() => Promise<void>) | undefined
  let isClosing = false
  let isFailing = false
  let deskTimer: NodeJS.Timeout | undefined
  const revisions = { acts: 0, orders: 0, takes: 0 }
  /** Since the work lists were told of. */
  let areListsDue = false
  const { open, refused } = createCounts(metrics)

  function close(stream: Stream): void {
    if (!streams.delete(stream.id)) return
    open[stream.source.topic] -= 1
    clearInterval(stream.timer)
    drop(ofTopic, topicOf(stream.source), stream)
    drop(ofReader, stream.reader.key, stream)
  }

  /** Ends a stream from this side; its reader may open another one. */
  function end(stream: Stream): void {
    if (!streams.has(stream.id)) return
    close(stream)
    if (stream.hasBegun) sayEnd(stream)
  }

  function sayEnd(stream: Stream): void {
    stream.reader.send({ id: stream.id, name: 'closing', body: {} })
    stream.reader.end()
  }

  function tell(stream: Stream, changed: number | undefined): void {
    stream.due.add(changed)
    if (stream.due.size > mostDue) end(stream)
    else void apart(read, stream)
  }

  /** Reads what is due, one after the other: what is sent last is what was read last. */
  async function read(stream: Stream): Promise<void> {
    if (stream.isReading) return
    stream.isReading = true
    for (const changed of stream.due) {
      stream.due.delete(changed)
      try {
        await takeTurn(() => readOne(stream, changed))
        isFailing = false
      } catch (error) {
        if (isFailure(error) && error.row.status < 500) end(stream)
        else readLater(stream, changed, error)
        break
      }
      if (!streams.has(stream.id)) break
    }
    stream.isReading = false
  }

  /** With the next beat. Only the first failure in a row is logged: an outage must not fill the log. */
  function readLater(stream: Stream, changed: number | undefined, error: unknown): void {
    stream.due.add(changed)
    if (!isFailing) log.error({ event: 'streams.read-failed', err: error })
    isFailing = true
  }

  async function readOne(stream: Stream, changed: number | undefined): Promise<void> {
    const body = await stream.source.read(changed)
    if (body !== undefined && streams.has(stream.id)) show(stream, body, changed)
  }

  function show(stream: Stream, body: object, changed?: number): void {
    const text = JSON.stringify(body)
    if (changed === undefined && text === stream.last) return
    stream.last = text
    stream.reader.send({ id: stream.id, body })
  }

  async function beat(stream: Stream): Promise<void> {
    stream.beats += 1
    if (stream.beats % beatsPerCheck !== 0) {
      stream.reader.send()
      if (stream.due.size > 0) await read(stream)
      return
    }
    const isAdmitted = await takeTurn(stream.reader.isAdmitted).catch(() => undefined)
    if (isAdmitted === false) end(stream)
    if (!streams.has(stream.id)) return
    stream.reader.send()
    tell(stream, undefined)
  }

  /** Streams of the order, and of the list that it is in. */
  async function hear(orderId: number): Promise<void> {
    for (const topic of ['order', 'share'] as const)
      for (const stream of ofTopic.get(`${topic} ${orderId}`) ?? []) tell(stream, undefined)
    if (open.agent === 0) return
    try {
      const agent = await takeTurn(() => findAgent(orderId))
      for (const stream of ofTopic.get(`agent ${agent}`) ?? []) tell(stream, orderId)
    } catch {
      // Which list it is in is not known: each is read again.
      for (const stream of streams.values()) if (stream.source.topic === 'agent') end(stream)
    }
  }

  /** Streams of the desk: of the order that is open at once, of the work lists together and soon. */
  function hearDesk(orderId: number): void {
    if (orderId > 0) for (const stream of ofTopic.get(`desk ${orderId}`) ?? []) tell(stream, orderId)
    deskTimer ??= setTimeout(() => {
      deskTimer = undefined
      // All streams share the first reading after the changes.
      if (areListsDue) revisions.acts += 1
      areListsDue = false
      for (const stream of streams.values()) if (stream.source.topic === 'desk') tell(stream, undefined)
    }, deskPauseMs).unref()
  }

  function endOf(key: string): void {
    for (const stream of ofReader.get(key) ?? []) end(stream)
  }

  /** @throws Failure TOO_MANY_STREAMS */
  function expectRoom({ topic }: StreamSource, { key, most: mostOfReader }: StreamReader): void {
    // Links are opened by anyone: they leave half of the streams to those who are signed in.
    const isFull = streams.size >= most || (topic === 'share' && open.share >= most / 2)
    const of = isFull ? 'gateway' : 'reader'
    if (!isFull && (ofReader.get(key)?.size ?? 0) < mostOfReader) return
    refused.inc({ of })
    throw failure(platformErrors, 'TOO_MANY_STREAMS', { retryAfterSeconds })
  }

  return {
    /** Begins to listen, until `stop`. */
    start(): void {
      stopListening ??= database.listen({
        onNotice({ channel, what }) {
          if (channel === 'amtiati_desk_order' || channel === 'amtiati_sessions') revisions.takes += 1
          if (channel === 'amtiati_sessions') return apart(endOf, what)
          // Without a stream of the desk none will be told of it later.
          if (channel === 'amtiati_orders') revisions[open.desk > 0 ? 'orders' : 'acts'] += 1
          if (channel === 'amtiati_desk') revisions.acts += 1
          if (streams.size === 0 || what === '') return
          if (open.desk > 0) {
            areListsDue ||= channel === 'amtiati_orders'
            apart(hearDesk, Number(what))
          }
          if (channel === 'amtiati_orders') void apart(hear, Number(what))
        },
        onGap() {
          revisions.acts += 1
          revisions.takes += 1
          for (const stream of streams.values()) {
            if (stream.source.topic === 'agent' || stream.source.topic === 'desk') end(stream)
            else tell(stream, undefined)
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

    /** The gateway is being stopped: every stream ends, and those that begin end after what they begin with. */
    endAll(): void {
      isClosing = true
      for (const stream of streams.values()) end(stream)
    },

    setAgentFinder(find: typeof findAgent): void {
      findAgent = find
    },

    /**
     * Opens a stream, reads what it begins with, and sends it.
     * @param begin what makes an answer of it, when it is certain that there is one
     * @returns closes the stream without a word. @throws Failure TOO_MANY_STREAMS, and what reading throws.
     */
    async open(source: StreamSource, reader: StreamReader, begin: () => void): Promise<() => void> {
      const previous = streams.get(reader.previous ?? '')
      if (previous?.reader.key === reader.key) end(previous)
      if (reader.replaces)
        for (const other of ofReader.get(reader.key) ?? []) if (other.reader.replaces) end(other)
      expectRoom(source, reader)
      const stream: Stream = {
        id: randomUUID(),
        source,
        reader,
        due: new Set<number | undefined>(),
        beats: 0,
        timer: undefined,
        hasBegun: false,
        isReading: true,
        last: '',
      }
      // Before it reads, so that it misses no change.
      streams.set(stream.id, stream)
      open[source.topic] += 1
      add(ofTopic, topicOf(source), stream)
      add(ofReader, reader.key, stream)
      try {
        const first = await source.read()
        begin()
        stream.hasBegun = true
        if (!streams.has(stream.id)) sayEnd(stream)
        else if (first !== undefined) show(stream, first)
      } catch (error) {
        close(stream)
        throw error
      }
      stream.isReading = false
      if (isClosing) end(stream)
      if (streams.has(stream.id)) {
        stream.timer = setInterval(() => void beat(stream), beatMs).unref()
        void apart(read, stream)
      }
      return () => close(stream)
    },

    /** A beat of every stream, in place of its timer. */
    beat: () => Promise.all([...streams.values()].map(beat)),

    deskRevisions: (): DeskRevisions => ({ ...revisions }),

    /** Open at once. */
    size: () => streams.size,
  }
}

const topicOf = ({ topic, about }: StreamSource) => `${topic} ${about}`

function add<V>(index: Map<string, Set<V>>, key: string, value: V): void {
  const known = index.get(key) ?? new Set()
  index.set(key, known.add(value))
}

function drop<V>(index: Map<string, Set<V>>, key: string, value: V): void {
  const known = index.get(key)
  known?.delete(value)
  if (known?.size === 0) index.delete(key)
}

/** Lets `most` works run at once; the others wait for their turn. */
function createGate(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
