import { existsSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Installation } from '#server/platform/modes.ts'
import { checkWhole, stampTable, syncPath } from './backup.ts'
import { copyToPostgres } from './copy.ts'
import type { EngineParts } from './database.ts'
import { inspectDatabase } from './inspect.ts'
import { nameOfInstallation } from './installation.ts'
import { migrate } from './migrate.ts'
import { type Numbers, raiseNumbers, readNumbers, skipReceipts } from './numbers.ts'
import { openSqlite } from './sqlite.ts'

/** The extent of a backup, to tell what happened after it. */
export interface Extent {
  /** Null for a backup without a stamp: one of an earlier build, or made by other means. */
  readonly takenAt: number | null
  readonly orders: number
  readonly users: number
  readonly numbers: Numbers
  /** Bookings without an airway bill. */
  readonly unissued: ReadonlySet<number>
  readonly deletedUsers: ReadonlySet<number>
}

export interface Prepared extends Extent {
  /** Undefined after the restore of a backup that an older build made. */
  readonly installation: Installation | undefined
  readonly endedSessions: number
  readonly endedCodes: number
  /** Above every number that can have been assigned before the restore. */
  readonly firstOrder: number
  readonly firstReceipt: number
}

/**
 * How long bookings without an airway bill count as uncertain after a restore: longer than a request to the partner just
 * before the failure can take (`unansweredMs`), with `shipmentQuietMs` of the gateway's limits.
 */
const uncertainMs = 90_000

/** The previous database. */
export interface Previous {
  /** Its numbers; empty when it cannot be read. */
  readonly previous: Numbers
  readonly previousInstallation?: Installation | undefined
  /** The id of another installation, which an operator has named because the previous database belongs to it. */
  readonly otherInstallation?: string | undefined
}

interface Change extends Previous {
  readonly gap: number
  readonly now: number
}

/**
 * Copies a backup to `draft` and prepares it for use (`applyAftermath`).
 * @throws when the file is no backup, is damaged, is of a newer build, or belongs to another installation than the database
 * before.
 */
export async function prepareRestore(source: string, draft: string, change: Change): Promise<Prepared> {
  const takenAt = await copyBackup(source, draft)
  const parts = openSqlite(draft)
  try {
    return await applyAftermath(parts, takenAt, change)
  } finally {
    await parts.kysely.destroy()
  }
}

/**
 * Changes a database that is as it was at an earlier time, all or nothing, before a gateway uses it:
 * - ids continue above its own and those of `previous`, plus `gap` for rows that neither knows;
 * - sessions and one-time codes are deleted: one that ended since must not be valid again;
 * - a booking without an airway bill may have got one since, so it is looked up before one is created;
 * - a message about one of its orders may have been sent since, so it is looked up before it is sent;
 * - an open payment may have succeeded since, so the provider is queried at once.
 * @param takenAt the time that it is of, if known
 */
export async function applyAftermath(
  parts: EngineParts,
  takenAt: number | null,
  change: Change,
): Promise<Prepared> {
  const { installation } = await inspectDatabase(parts)
  refuseOtherInstallation(installation, change)
  await migrate(parts)
  return parts.kysely.transaction().execute(async (kysely) => {
    // The limit is meant for requests.
    if (parts.engine === 'postgres') await sql`SET LOCAL statement_timeout = 0`.execute(kysely)
    return changeRows({ ...parts, kysely }, takenAt, change)
  })
}

/** Numbers and rows of another installation's orders would be taken for those of this one. */
function refuseOtherInstallation(
  own: Installation | undefined,
  { previousInstallation: previous, otherInstallation }: Change,
): void {
  if (!(own && previous) || own.id === previous.id || previous.id === otherInstallation) return
  throw new Error(
    `it belongs to ${nameOfInstallation(own)}, but the previous database to ${nameOfInstallation(previous)}. Name the right one, or add --other-installation ${previous.id} if that is meant.`,
  )
}

async function changeRows(
  parts: EngineParts,
  takenAt: number | null,
  { previous, gap, now }: Change,
): Promise<Prepared> {
  const { kysely } = parts
  const { orders, users, installation } = await inspectDatabase(parts)
  const numbers = await readNumbers(parts)
  const list = async (query: ReturnType<typeof sql<{ id: number }>>) =>
    new Set((await query.execute(kysely)).rows.map(({ id }) => id))
  const unissued = await list(sql`SELECT id FROM bookings WHERE awb IS NULL`)
  const deletedUsers = await list(sql`SELECT id FROM users WHERE deleted_at IS NOT NULL`)

  const raised = new Map(
    ['orders', ...numbers.keys(), ...previous.keys()].map((table) => [
      table,
      Math.max(numbers.get(table) ?? 0, previous.get(table) ?? 0) + gap,
    ]),
  )
  await raiseNumbers(parts, raised)
  await skipReceipts(parts, raised.get('receipts') ?? 0, now)
  const change = async (query: ReturnType<typeof sql>) =>
    Number((await query.execute(kysely)).numAffectedRows ?? 0)
  const endedSessions =
    (await change(sql`DELETE FROM sessions`)) + (await change(sql`DELETE FROM desk_sessions`))
  const endedCodes = await change(sql`DELETE FROM otp_challenges`)
  await change(sql`UPDATE bookings SET uncertain_until = ${now + uncertainMs}, lease = NULL, leased_until = 0
    WHERE awb IS NULL AND state IN ('none', 'waiting')`)
  const firstOrder = (raised.get('orders') ?? 0) + 1
  // What is held may still be undone.
  await change(sql`UPDATE messages SET lease = NULL, leased_until = 0,
    due_at = CASE WHEN held_until > ${now} THEN held_until ELSE ${now} END WHERE due_at IS NOT NULL`)
  await change(sql`INSERT INTO message_restores (first_order, since) VALUES (${firstOrder}, ${takenAt ?? 0})`)
  await change(sql`UPDATE payment_attempts SET due_at = ${now}
    WHERE state <> 'succeeded' AND due_at > ${now}`)
  return {
    takenAt,
    orders,
    users,
    numbers,
    unissued,
    deletedUsers,
    endedSessions,
    endedCodes,
    installation,
    firstOrder,
    firstReceipt: (raised.get('receipts') ?? 0) + 1,
  }
}

/** Returns when the backup was taken. A `-wal` file beside it is read, too. */
async function copyBackup(source: string, draft: string): Promise<number | null> {
  const from = new DatabaseSync(source, { readOnly: true })
  try {
    checkWhole(from)
    await (await open(draft, 'wx', 0o600)).close()
    await backup(from, draft)
  } finally {
    from.close()
  }
  const copy = new DatabaseSync(draft)
  try {
    const isStamped = copy.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(stampTable) !== undefined
    if (!isStamped) return null
    const takenAt = Number(copy.prepare(`SELECT taken_at FROM ${stampTable}`).get()?.taken_at)
    copy.exec(`DROP TABLE ${stampTable}`)
    return takenAt
  } finally {
    copy.close()
  }
}

/** Suffixes of the files beside an open SQLite database. */
const sideFiles = ['-wal', '-shm', '-journal'] as const

/** Existing files at the target of a restore. */
export const presentFiles = (path: string): string[] =>
  ['', ...sideFiles].map((suffix) => `${path}${suffix}`).filter((each) => existsSync(each))

/**
 * Replaces `target` by the prepared draft and keeps the old file as `aside`. The target exists at every moment: a gateway
 * that starts without one would create an empty database and count from 1.
 */
export async function installSqlite(draft: string, target: string, aside: string): Promise<void> {
  const file = new DatabaseSync(draft)
  try {
    file.exec('PRAGMA journal_mode = DELETE')
    checkWhole(file)
  } finally {
    file.close()
  }
  await syncPath(draft)
  for (const suffix of sideFiles)
    if (existsSync(`${target}${suffix}`)) await rename(`${target}${suffix}`, `${aside}${suffix}`)
  // Without hard links there is a moment between the two renames.
  if (existsSync(target)) await link(target, aside).catch(() => rename(target, aside))
  await rename(draft, target)
  await syncPath(dirname(target))
}

/** Copies the prepared draft into an empty PostgreSQL, all or nothing. */
export async function installPostgres(draft: string, to: EngineParts): Promise<ReadonlyMap<string, number>> {
  const from = openSqlite(draft)
  try {
    await migrate(to)
    return await copyToPostgres(from, to)
  } finally {
    await from.kysely.destroy()
  }
}

/** Other connections to the database; a running gateway has some. */
export async function countConnections({ kysely }: EngineParts): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(
    kysely,
  )
  return Number(rows[0]?.count)
}

export async function removeDraft(draft: string): Promise<void> {
  for (const suffix of ['', ...sideFiles]) await rm(`${draft}${suffix}`, { force: true })
}
