import { sql } from 'kysely'
import type { Installation } from '#server/platform/modes.ts'
import type { EngineParts } from './database.ts'
import { inspectDatabase } from './inspect.ts'
import { nameOfInstallation } from './installation.ts'
import { migrate } from './migrate.ts'
import { type Numbers, raiseNumbers, readHighestIds, readNumbers, skipReceipts } from './numbers.ts'

/** Facts about a restored database. They show which rows of the previous database are missing in it. */
export interface Extent {
  readonly since: number
  readonly highestIds: Numbers
  readonly unissued: ReadonlySet<number>
  readonly deletedUsers: ReadonlySet<number>
}

export interface AfterRestore extends Extent {
  readonly installation: Installation | undefined
  readonly endedSessions: number
  readonly endedCodes: number
  /** The next order gets this id, which is greater than every id before the restore. */
  readonly firstOrder: number
  readonly firstReceipt: number
}

export interface Previous {
  readonly numbers: Numbers
  readonly installation: Installation | undefined
}

interface Change {
  readonly since: number
  readonly now: number
  readonly gap: number
  readonly previous: Previous | undefined
  readonly otherInstallation: string | undefined
  /** This long after a request, the look-ups of the courier and of the payment provider certainly find it. */
  readonly uncertainMs: number
}

/**
 * Prepares a restored database, all or nothing. New ids continue above those of both databases, plus `gap` for rows
 * that neither has. An ended session or one-time code must not become valid again, so all are deleted. Requests to
 * partners that can have been made after the copy are looked up first.
 */
export async function applyAfterRestore(parts: EngineParts, change: Change): Promise<AfterRestore> {
  const { installation } = await inspectDatabase(parts)
  refuseOtherInstallation(installation, change)
  await migrate(parts)
  return parts.kysely.transaction().execute(async (kysely) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(kysely)
    return { ...(await changeRows({ ...parts, kysely }, change)), installation }
  })
}

function refuseOtherInstallation(own: Installation | undefined, { previous, otherInstallation }: Change) {
  const other = previous?.installation
  if (!(own && other) || own.id === other.id || other.id === otherInstallation) return
  throw new Error(
    `it belongs to ${nameOfInstallation(own)}, but the previous database to ${nameOfInstallation(other)}. Name the right one, or add --other-installation ${other.id} if that is meant.`,
  )
}

async function changeRows(
  parts: EngineParts,
  { since, now, gap, previous, uncertainMs }: Change,
): Promise<Omit<AfterRestore, 'installation'>> {
  const { kysely } = parts
  const idsOf = async (query: ReturnType<typeof sql<{ id: number }>>) =>
    new Set((await query.execute(kysely)).rows.map(({ id }) => id))
  const change = async (query: ReturnType<typeof sql>) =>
    Number((await query.execute(kysely)).numAffectedRows ?? 0)

  const numbers = await readNumbers(parts)
  const highestIds = await readHighestIds(parts)
  const unissued = await idsOf(sql`SELECT id FROM bookings WHERE awb IS NULL`)
  const deletedUsers = await idsOf(sql`SELECT id FROM users WHERE deleted_at IS NOT NULL`)

  const others: Numbers = previous?.numbers ?? new Map()
  const raised = new Map(
    [...numbers.keys(), ...others.keys()].map((table) => [
      table,
      Math.max(numbers.get(table) ?? 0, others.get(table) ?? 0) + gap,
    ]),
  )
  await raiseNumbers(parts, raised)
  const lastReceipt = raised.get('receipts') ?? gap
  await skipReceipts(parts, lastReceipt, now)
  const firstOrder = (raised.get('orders') ?? gap) + 1

  const endedSessions =
    (await change(sql`DELETE FROM sessions`)) + (await change(sql`DELETE FROM desk_sessions`))
  const endedCodes = await change(sql`DELETE FROM otp_challenges`)
  await change(sql`UPDATE bookings SET uncertain_until = ${now + uncertainMs}, lease = NULL, leased_until = 0
    WHERE awb IS NULL AND state IN ('none', 'waiting', 'canceled')`)
  await change(sql`UPDATE refunds SET lease = NULL, leased_until = 0, due_at = ${now + uncertainMs}
    WHERE due_at IS NOT NULL`)
  // A held message reports something that can still be undone, so it is held for as long as before.
  await change(sql`UPDATE messages SET lease = NULL, leased_until = 0,
    due_at = CASE WHEN held_until > ${now} THEN held_until ELSE ${now} END WHERE due_at IS NOT NULL`)
  await change(sql`INSERT INTO message_restores (first_order, since) VALUES (${firstOrder}, ${since})`)
  await change(sql`UPDATE payment_attempts SET due_at = ${now}
    WHERE state <> 'succeeded' AND due_at > ${now}`)
  return {
    since,
    highestIds,
    unissued,
    deletedUsers,
    endedSessions,
    endedCodes,
    firstOrder,
    firstReceipt: lastReceipt + 1,
  }
}

export async function countConnections({ kysely }: EngineParts): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(
    kysely,
  )
  return Number(rows[0]?.count)
}
