import { userInfo } from 'node:os'
import { type AuditStore, createAuditStore } from '#server/features/audit/audit.store.ts'
import { createMessagesStore } from '#server/features/messages/messages.store.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createOtpStore } from '#server/features/otp/otp.store.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createReceiptsStore } from '#server/features/receipts/receipts.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createSharesStore } from '#server/features/shares/shares.store.ts'
import { createTrackingStore } from '#server/features/tracking/tracking.store.ts'
import type { Database } from '#server/platform/database/database.ts'
import { UsageError } from '../lib/tool.ts'

/** What every verb may be given. */
export interface OpsOptions {
  readonly by?: string | undefined
  readonly reason?: string | undefined
}

/** What a verb works with. */
export interface OpsContext {
  readonly database: Database
  readonly stores: ReturnType<typeof createStores>
  /** Who acts. */
  readonly actor: string
  readonly reason: string | null
  /** Epoch milliseconds. */
  readonly now: number
}

/** Parses its arguments before a database is opened; returns the text to print. */
export type Verb = (args: readonly string[], options: OpsOptions) => (context: OpsContext) => Promise<string>

/** A verb without arguments. */
export const withoutArguments =
  (work: (context: OpsContext) => Promise<string>): Verb =>
  (args) => {
    if (args.length > 0) throw new UsageError()
    return work
  }

function createStores(database: Database) {
  return {
    audit: createAuditStore(database),
    messages: createMessagesStore(database),
    orders: createOrdersStore(database),
    otp: createOtpStore(database),
    payments: createPaymentsStore(database),
    receipts: createReceiptsStore(database),
    sessions: createSessionsStore(database),
    shares: createSharesStore(database),
    tracking: createTrackingStore(database),
  }
}

export function createContext(database: Database, options: OpsOptions, now: number): OpsContext {
  return {
    database,
    stores: createStores(database),
    actor: actorOf(options.by),
    reason: options.reason?.trim() || null,
    now,
  }
}

/** @throws UsageError when a text is empty or long: an audit row is no place for documents. */
export function checkOptions(options: OpsOptions): void {
  for (const [name, longest] of [
    ['by', 60],
    ['reason', 300],
  ] as const) {
    const length = options[name]?.trim().length
    if (length === 0 || Number(length) > longest)
      throw new UsageError(`--${name} must have 1 to ${longest} characters`)
  }
}

/** The name that was given, and the user of the operating system: in a container all operators are one user. */
function actorOf(by: string | undefined): string {
  const system = systemUser()
  return by === undefined ? system : `${by.trim()} (${system})`
}

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Names and values that an action can change, as an audit row shows them. Nothing secret is among them. */
export type State = Readonly<Record<string, string | number | null>>

export interface ActionSubject {
  readonly action: string
  readonly orderId?: number
  /** Where it has no order: what it is about. */
  readonly subject?: string
  /** Whose it is; read inside the transaction. */
  readonly findUserId: () => Promise<number | undefined>
  readonly readState: () => Promise<State>
}

/** Does an action and stores its audit row, in one transaction: both or neither. @throws what `act` throws. */
export function audited<T>(
  { database, stores, actor, reason, now }: OpsContext,
  { action, orderId, subject, findUserId, readState }: ActionSubject,
  act: () => Promise<T>,
): Promise<T> {
  return database.transaction(async () => {
    const id = await stores.audit.beginAction({
      ...{ at: now, actor, action, order_id: orderId ?? null, user_id: null },
      ...{ subject: subject ?? null, reason },
    })
    const before = await readState()
    const result = await act()
    const after = await readState()
    await finish(stores.audit, id, before, after, (await findUserId()) ?? null)
    return result
  })
}

async function finish(audit: AuditStore, id: number, before: State, after: State, userId: number | null) {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  )
  const pick = (state: State) =>
    JSON.stringify(Object.fromEntries(changed.map((name) => [name, state[name] ?? null])))
  await audit.finishAction(id, { user_id: userId, before: pick(before), after: pick(after) })
}
