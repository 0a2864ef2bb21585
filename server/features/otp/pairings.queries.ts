import { sql } from 'kysely'
import type { QueryCore } from '#server/platform/core.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type PairingRow = Row<'agent_pairings'>
export type AgentAlertRow = Row<'agent_alerts'>

/**
 * A pairing number is valid this long. After the desk has admitted its browser, the browser can sign in for the same
 * time.
 */
export const pairingLifeMs = 30 * 60_000

interface OfBrowser {
  readonly browserHash: string
  readonly phone: string
}

export function writeAlert({ database }: QueryCore, alert: Omit<AgentAlertRow, 'id'>): Promise<boolean> {
  const { partner_agent_id, name, wrong_codes, sends, ends_at } = alert
  return database.wins(
    database.tables
      .insertInto('agent_alerts')
      .values(alert)
      .onConflict((conflict) =>
        conflict
          .column('phone')
          .doUpdateSet({
            partner_agent_id,
            name,
            wrong_codes,
            sends,
            // An alert that has not ended keeps the time at which it began.
            noticed_at: sql<number>`CASE WHEN agent_alerts.ends_at > excluded.noticed_at THEN agent_alerts.noticed_at ELSE excluded.noticed_at END`,
            ends_at,
          })
          .where((known) =>
            known.or([
              known('agent_alerts.wrong_codes', '!=', wrong_codes),
              known('agent_alerts.sends', '!=', sends),
              known('agent_alerts.ends_at', '!=', ends_at),
            ]),
          ),
      ),
  )
}

export const countAlerts = ({ database }: QueryCore, now: number): Promise<number> =>
  database.count(database.tables.selectFrom('agent_alerts').where('ends_at', '>', now))

export const findPairing = (
  { database }: QueryCore,
  { browserHash, phone }: OfBrowser,
  now: number,
): Promise<PairingRow | undefined> =>
  database.tables
    .selectFrom('agent_pairings')
    .selectAll()
    .where('browser_hash', '=', browserHash)
    .where('phone', '=', phone)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** @returns false when the pairing number is taken, or this browser has a valid one */
export const addPairing = ({ database }: QueryCore, row: Omit<PairingRow, 'opened_at'>): Promise<boolean> =>
  database.transaction(async () => {
    await database.tables
      .deleteFrom('agent_pairings')
      .where('browser_hash', '=', row.browser_hash)
      .where('phone', '=', row.phone)
      .where('expires_at', '<=', row.shown_at)
      .execute()
    return database.wins(
      database.tables
        .insertInto('agent_pairings')
        .values({ ...row, opened_at: null })
        .onConflict((conflict) => conflict.doNothing()),
    )
  })

export async function deleteBeyond(
  { database }: QueryCore,
  { phone, address }: Pick<PairingRow, 'phone' | 'address'>,
  kept: number,
): Promise<void> {
  const older = await database.tables
    .selectFrom('agent_pairings')
    .select('browser_hash')
    .where('phone', '=', phone)
    .where('address', '=', address)
    .where('opened_at', 'is', null)
    .orderBy('shown_at', 'desc')
    .offset(kept)
    .limit(100)
    .execute()
  if (older.length === 0) return
  const hashes = older.map(({ browser_hash }) => browser_hash)
  await database.tables
    .deleteFrom('agent_pairings')
    .where('browser_hash', 'in', hashes)
    .where('phone', '=', phone)
    .execute()
}

export const markOpened = (
  { database }: QueryCore,
  { phone, pairing }: Pick<PairingRow, 'phone' | 'pairing'>,
  now: number,
): Promise<boolean> =>
  database.wins(
    database.tables
      .updateTable('agent_pairings')
      .set({ opened_at: now, expires_at: now + pairingLifeMs })
      .where('phone', '=', phone)
      .where('pairing', '=', pairing)
      .where('expires_at', '>', now)
      .where('opened_at', 'is', null),
  )

/** A pairing allows one sign-in, so the sign-in deletes it. */
export async function deletePairing(
  { database }: QueryCore,
  { browserHash, phone }: OfBrowser,
): Promise<void> {
  await database.tables
    .deleteFrom('agent_pairings')
    .where('browser_hash', '=', browserHash)
    .where('phone', '=', phone)
    .execute()
}

export async function moveBrowser(
  { database }: QueryCore,
  formerHash: string,
  browser_hash: string,
): Promise<void> {
  await database.tables
    .updateTable('agent_pairings')
    .set({ browser_hash })
    .where('browser_hash', '=', formerHash)
    .execute()
}

export async function deleteEnded({ database }: QueryCore, now: number, limit: number): Promise<number> {
  const pairings = { from: 'agent_pairings', by: 'expires_at', where: sql`expires_at < ${now}`, limit }
  const alerts = { from: 'agent_alerts', by: 'ends_at', where: sql`ends_at < ${now}`, limit }
  return (await deletePiece(database, pairings)) + (await deletePiece(database, alerts))
}
