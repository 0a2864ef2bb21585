import type { IdSequence } from './ids.ts'
import type { JournalBody, JournalEntry } from './journal.entry.ts'
import { distinct } from './references.ts'

/** The oldest entries are dropped beyond these; a body is cut at its limit. Characters of all bodies bound the memory. */
export const journalLimits = {
  entries: 10_000,
  charactersPerBody: 8_192,
  charactersOfBodies: 32 * 1_048_576,
}

interface Message {
  headers: Readonly<Record<string, unknown>>
  /** The body, as it was sent or received. */
  body: string | Buffer | null
}

/** A request and its answer, before anything is masked. */
export interface Exchange extends Omit<JournalEntry, 'id' | 'at' | 'order' | 'request' | 'response'> {
  /** Epoch milliseconds on the simulator's clock. */
  at: number
  request: Message & { method: string; url: string }
  response: (Message & { status: number }) | null
}

/** The question of a reader; entries fit all of it. */
export interface JournalFilter {
  order?: number | undefined
  phone?: string | undefined
  /** Any of an entry's references, or its order number or phone. */
  ref?: string | undefined
  service?: string | undefined
  /** Epoch milliseconds. */
  since?: number | undefined
  /** Entries after this one. */
  afterId?: number | undefined
}

function fits(entry: JournalEntry, { order, phone, ref, service, since, afterId }: JournalFilter): boolean {
  if (service !== undefined && entry.service !== service) return false
  if (order !== undefined && !entry.orders.includes(order)) return false
  if (phone !== undefined && entry.phone !== phone) return false
  if (ref !== undefined && ![...entry.refs, ...entry.orders.map(String), entry.phone].includes(ref))
    return false
  if (afterId !== undefined && entry.id <= afterId) return false
  return since === undefined || Date.parse(entry.at) >= since
}

/** Hides secrets from testers. */
export interface Masks {
  text(original: string): string
  headers(given: Message['headers']): Record<string, string>
}

/** Longer texts inside a JSON body, such as a label, are shortened to their beginning. */
const longText = /"([^"\\]{80})[^"\\]{1920,}"/g

const shortened = (body: string): string =>
  body.length < 2_000 ? body : body.replace(longText, (_all, beginning: string) => `"${beginning}…"`)

/** A text without a reference to the longer one that it was cut from. */
const copyOf = (text: string): string => Buffer.from(text).toString()

/** Every request that the simulator got or sent, in memory: empty after a restart. */
export function createJournal({
  ids,
  masks,
  limits = journalLimits,
}: {
  ids: IdSequence
  masks: Masks
  limits?: typeof journalLimits
}) {
  let entries: JournalEntry[] = []
  let characters = 0
  const listeners = new Set<(entry: JournalEntry | 'reset') => void>()

  function bodyOf(body: Message['body']): JournalBody | null {
    if (body === null) return null
    if (Buffer.isBuffer(body)) return { text: `(${body.length} bytes)`, bytes: body.length, isCut: true }
    const shown = shortened(body)
    return {
      text: copyOf(masks.text(shown.slice(0, limits.charactersPerBody))),
      bytes: Buffer.byteLength(body),
      isCut: shown !== body || shown.length > limits.charactersPerBody,
    }
  }

  const messageOf = ({ headers, body }: Message) => ({ headers: masks.headers(headers), body: bodyOf(body) })

  const sizeOf = ({ request, response }: JournalEntry): number =>
    (request.body?.text.length ?? 0) + (response?.body?.text.length ?? 0)

  function add(exchange: Exchange): void {
    const { at, orders, refs, request, response, durationMs } = exchange
    const entry: JournalEntry = {
      ...exchange,
      id: ids.next(),
      at: new Date(at).toISOString(),
      order: orders.length === 1 ? (orders[0] ?? null) : null,
      refs: distinct(refs),
      request: { method: request.method, url: masks.text(request.url), ...messageOf(request) },
      response: response && { status: response.status, ...messageOf(response) },
      durationMs: Math.round(durationMs * 10) / 10,
    }
    entries.push(entry)
    characters += sizeOf(entry)
    while (entries.length > limits.entries || characters > limits.charactersOfBodies) {
      const oldest = entries.shift()
      if (oldest === undefined) break
      characters -= sizeOf(oldest)
    }
    for (const listener of listeners) listener(entry)
  }

  return {
    add,
    /** Newest first: by the moment at which the answer was there. */
    list(filter: JournalFilter, limit: number): JournalEntry[] {
      const found: JournalEntry[] = []
      for (let index = entries.length - 1; index >= 0 && found.length < limit; index -= 1) {
        const entry = entries[index]
        if (entry !== undefined && fits(entry, filter)) found.push(entry)
      }
      return found
    },
    /** Calls with each new entry that fits, and with `reset` when the journal is emptied. Returns the end of it. */
    subscribe(filter: JournalFilter, listener: (news: JournalEntry | 'reset') => void): () => void {
      const filtered = (news: JournalEntry | 'reset'): void => {
        if (news === 'reset' || fits(news, filter)) listener(news)
      }
      listeners.add(filtered)
      return () => listeners.delete(filtered)
    },
    reset(): void {
      entries = []
      characters = 0
      for (const listener of listeners) listener('reset')
    },
  }
}
export type Journal = ReturnType<typeof createJournal>
