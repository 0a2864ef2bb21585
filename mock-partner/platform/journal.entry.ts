import type { References } from './references.ts'

/** A body with its secrets masked, long texts in it shortened, and cut at the limit of the journal. */
export interface JournalBody {
  text: string
  /** Size of the whole body. */
  bytes: number
  isCut: boolean
}

interface JournalMessage {
  headers: Record<string, string>
  /** Null: none, or one that could not be read. */
  body: JournalBody | null
}

/** One attempt to deliver a callback. */
interface JournalCallback {
  /** Id of the callback, as in `GET /control/payments`; the same in every attempt. */
  id: number
  /** `send`, `twice`, `late`, `forge` and so on. */
  mode: string | null
  /** 1 for the first; 0 for a callback that is lost and therefore never sent. */
  attempt: number
  state: 'waiting' | 'delivered' | 'given-up' | 'lost'
  /** ISO time; null when there is no further attempt. */
  nextAttemptAt: string | null
}

export interface JournalEntry extends References {
  /** Grows by one; also the id of the server-sent event. No id is used twice, not even after a restart. */
  id: number
  /** ISO time at which it began, on the simulator's clock. */
  at: string
  /** `in`: the simulator got it. `out`: the simulator sent it. */
  direction: 'in' | 'out'
  /** otp, payment, shipping, tracking, messaging or identity. */
  service: string
  /** For instance `create-intention`; `unknown` for a path that does not exist. */
  operation: string
  /** The order number, where the entry belongs to one order alone. */
  order: number | null
  request: JournalMessage & { method: string; url: string }
  /** Null: no answer. The fault `lose-answer` loses it on its way. */
  response: (JournalMessage & { status: number }) | null
  /** Why there was no answer; null when there was one. */
  error: string | null
  /** Real time, to a tenth. */
  durationMs: number
  /** The fault that applied to it. */
  fault: { id: number; kind: string } | null
  /** Only entries with direction `out` have it. */
  callback: JournalCallback | null
}
