import type { Readable } from 'node:stream'

export interface StreamedEvent {
  readonly event: string
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An event stream as a browser reads it, or the answer that refuses it. */
export interface EventReader {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The refusal; rejects for a stream. */
  json(): Promise<Record<string, unknown>>
  /** The next event; undefined when the stream has ended. */
  next(): Promise<StreamedEvent | undefined>
  /** Lines that are no events, so far: `retry` and comments. */
  readonly others: readonly string[]
  /** Leaves, as a page that is closed. */
  leave(): void
}

/** The events of the body of an answer. */
export function eventsOf(stream: Readable): Pick<EventReader, 'json' | 'next' | 'others'> {
  const events: StreamedEvent[] = []
  const others: string[] = []
  const waiting: ((event: StreamedEvent | undefined) => void)[] = []
  let text = ''
  let isOver = false

  function take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const data = field('data')
    if (data === undefined) return void others.push(block)
    const event = { event: field('event') ?? 'message', id: field('id') ?? '', data: JSON.parse(data) }
    const next = waiting.shift()
    if (next) next(event)
    else events.push(event)
  }
  stream.on('data', (chunk: Buffer) => {
    const blocks = `${text}${chunk}`.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) take(block)
  })
  const ended = new Promise<void>((resolve) => {
    for (const end of ['end', 'close', 'error'])
      stream.once(end, () => {
        isOver = true
        for (const next of waiting.splice(0)) next(undefined)
        resolve()
      })
  })
  return {
    others,
    async json() {
      await ended
      return JSON.parse(text)
    },
    next() {
      const event = events.shift()
      if (event || isOver) return Promise.resolve(event)
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}
