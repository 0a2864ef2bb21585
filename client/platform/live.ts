import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OperationOf } from '#shared/operations.ts'
import type { Endpoint, StreamDataOf } from '#shared/platform/operation.ts'
import { hasShape } from './answer-checks.ts'
import { type OperationValues, operationHref } from './operation-href.ts'

/*
 * Event streams of the server. They name what changed, and the page reads it again. A browser holds one stream, whatever its
 * tabs show: the visible tab that has the lock, or waited for it longest, streams its page and tells the other tabs that show
 * the same. Hidden tabs take no part. Without a stream pages poll, so that one that is late, broken or refused changes nothing
 * but the time.
 */

/** How often a page without a stream asks. */
export const pollWithoutStreamMs = 10_000
/** How often a page with a stream also asks, in case the stream has stopped without an error. */
export const pollBesideStreamMs = 60_000
/** A page reads again after a random part of this time, because many pages get a notice at the same moment. */
const spreadMs = 300
/** The delay after a refusal or a closed connection. The browser itself opens a broken connection again. */
const reopenMs = 60_000
// The name differs from earlier releases, whose tabs shared whole answers.
const name = 'live-notices'

type Message =
  | { readonly kind: 'open' | 'closed' | 'ask' }
  | { readonly kind: 'event'; readonly data: unknown }

interface Follower {
  onOpen(): void
  onEvent(data: unknown): void
  /** The stream is open, in this tab or another one. */
  onLive(isLive: boolean): void
}

interface Followed {
  readonly url: string
  readonly event: string
  /** True for people without a session: the server cannot identify them, so no stream replaces another. */
  readonly isShared: boolean
}

/** Follows an event stream while the page is visible. @returns a function that ends it. */
function follow({ url, event, isShared }: Followed, { onOpen, onEvent, onLive }: Follower): () => void {
  const ended = new AbortController()
  let shown: AbortController | undefined

  function begin(): void {
    const visit = new AbortController()
    shown = visit
    const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined
    /** The stream of this tab, with its last event once there is one. */
    let own: { last?: unknown } | undefined
    const tell = (message: Message) => channel?.postMessage({ url, ...message })
    const take = (message: Message) => {
      onLive(message.kind !== 'closed')
      if (message.kind === 'open') onOpen()
      else if (message.kind === 'event') onEvent(message.data)
    }
    const say = (message: Message) => {
      take(message)
      tell(message)
    }
    if (channel)
      channel.onmessage = ({ data: message }: MessageEvent<Message & { url: string }>) => {
        if (message.url !== url) return
        if (message.kind !== 'ask') return take(message)
        if (own === undefined) return
        tell({ kind: 'open' })
        if (own.last !== undefined) tell({ kind: 'event', data: own.last })
      }
    visit.signal.addEventListener('abort', () => {
      if (own !== undefined) tell({ kind: 'closed' })
      channel?.close()
      onLive(false)
    })
    tell({ kind: 'ask' })
    void withLock(visit.signal, (isOnly) =>
      stream(
        isOnly && !isShared ? `${url}${url.includes('?') ? '&' : '?'}replace=1` : url,
        event,
        visit.signal,
        (message) => {
          if (message.kind === 'closed') own = undefined
          else own = message.kind === 'event' ? { last: message.data } : {}
          say(message)
        },
      ),
    )
  }

  function update(): void {
    const isVisible = document.visibilityState !== 'hidden'
    if (isVisible && shown === undefined) begin()
    if (isVisible) return
    shown?.abort()
    shown = undefined
  }
  document.addEventListener('visibilitychange', update, ended)
  update()
  return () => {
    ended.abort()
    shown?.abort()
  }
}

/** Runs `work` in one tab at a time, until `signal` aborts. Pages without TLS have no locks: there each tab has a stream. */
async function withLock(signal: AbortSignal, work: (isOnly: boolean) => void): Promise<void> {
  if (!('locks' in navigator)) return work(false)
  const until = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  try {
    await navigator.locks.request(name, { signal }, () => {
      if (signal.aborted) return undefined
      work(true)
      return until
    })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function stream(url: string, event: string, signal: AbortSignal, say: (message: Message) => void): void {
  const source = new EventSource(url)
  let timer: ReturnType<typeof setTimeout> | undefined
  source.addEventListener('open', () => say({ kind: 'open' }))
  source.addEventListener(event, ({ data }: MessageEvent<string>) =>
    say({ kind: 'event', data: JSON.parse(data) }),
  )
  source.addEventListener('error', () => {
    say({ kind: 'closed' })
    if (source.readyState === EventSource.CLOSED)
      timer = setTimeout(() => stream(url, event, signal, say), reopenMs)
  })
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    source.close()
  })
}

type StreamOperation = Endpoint & Required<Pick<Endpoint, 'stream'>>

/**
 * Follows the event stream of an operation.
 * @param params undefined while there is nothing to follow
 * @returns whether it is open, and the page need not ask
 */
export function useLive<const O extends StreamOperation>(
  operation: O,
  params: OperationValues | undefined,
  { onOpen, onEvent }: { onOpen?(): void; onEvent(data: StreamDataOf<OperationOf<O>>): void },
  query: OperationValues = {},
): boolean {
  const [isLive, setIsLive] = useState(false)
  const url = params === undefined ? undefined : operationHref(operation, params, query)
  const { access, stream } = operation as StreamOperation
  const { event } = stream
  const isShared = access === 'anyone'
  const take = useEffectEvent((data: unknown) => {
    // An event of a wrong shape is passed over: the page also asks by itself.
    if (hasShape(operation, data)) onEvent(data as StreamDataOf<OperationOf<O>>)
  })
  const begin = useEffectEvent(() => onOpen?.())
  useEffect(() => {
    if (url === undefined || !('EventSource' in globalThis)) return
    return follow(
      { url, event, isShared },
      { onOpen: () => begin(), onEvent: (data) => take(data), onLive: setIsLive },
    )
  }, [url, event, isShared])
  return isLive
}

/**
 * Reads again after a notice: one reading at a time, and one more for all notices that come during it. A reading that failed
 * is tried again when a page without a stream would poll.
 * @param read rejects where it failed
 * @param everyMs at least so long after the reading before
 * @returns takes a notice
 */
export function useReadAgain(read: () => Promise<unknown>, everyMs = 0): () => void {
  const reading = useRef({
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    at: Number.NEGATIVE_INFINITY,
    isUnderWay: false,
    isStale: false,
    isLeft: false,
  })
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  useEffect(() => {
    const { current } = reading
    current.isLeft = false
    return () => {
      current.isLeft = true
      clearTimeout(current.timer)
      current.timer = undefined
      current.isStale = false
    }
  }, [])

  async function readNow(): Promise<void> {
    const { current } = reading
    current.timer = undefined
    // The stream that opens when the page is visible again begins with a notice.
    if (document.visibilityState === 'hidden') return
    current.at = performance.now()
    current.isUnderWay = true
    const isRead = await latest.current().then(
      () => true,
      () => false,
    )
    current.isUnderWay = false
    if (current.isStale) take()
    else if (!isRead && !current.isLeft)
      current.timer ??= setTimeout(() => void readNow(), pollWithoutStreamMs)
  }
  function take(): void {
    const { current } = reading
    current.isStale = current.isUnderWay
    if (current.isUnderWay) return
    const pauseMs = Math.max(Math.random() * spreadMs, current.at + everyMs - performance.now())
    current.timer ??= setTimeout(() => void readNow(), pauseMs)
  }
  return take
}
