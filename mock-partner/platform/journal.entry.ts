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

/** One signed field that is not what the receiver has reason to expect. */
export interface FieldDifference {
  field: string
  sent: string | number | boolean | null
  /** Null: the provider has no such record. */
  expected: string | number | boolean | null
}

/** What proves a callback, and whether its content is true. */
export interface CallbackProof {
  /** `wrong-key`: signed (or, for a push, sent) with another key than the account's. */
  key: 'valid' | 'wrong-key'
  differences: FieldDifference[]
}

/** One attempt to deliver a callback. */
interface JournalCallback extends CallbackProof {
  /** Id of the callback, as in `GET /control/payments`; the same in every attempt. */
  id: number
  /** `send`, `twice`, `late`, `forge` and so on. */
  mode: string | null
  /** 1 for the first; 0 for a callback that is lost and therefore never sent. */
  attempt: number
  state: 'waiting' | 'delivered' | 'given-up' | 'lost'
  /** ISO time; null when there is no further attempt. */
  nextAttemptAt: string | null
  /** Why the receiver refused it, as far as the simulator knows; null where it did not refuse. */
  why: string | null
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
