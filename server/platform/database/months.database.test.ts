import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { day, contractNoon as noon } from '#test/kit/clock.ts'
import { freshDatabase, freshPostgresUrl } from '#test/kit/databases.ts'
import { freshFolder } from '#test/kit/fresh-folder.ts'
import { openPatientPostgres } from '#test/kit/open-postgres.ts'
import { blockedOrDone } from '#test/kit/rows.ts'
import { bookingRow, labelRow, orderRow } from '#test/kit/stored-orders.ts'
import { backupPostgres } from './backup.ts'
import { copyToPostgres } from './copy.ts'
import { createDatabase, type Database, type EngineParts } from './database.ts'
import { migrate, schemaSteps } from './migrate.ts'
import { monthStart } from './migrations/0019-label-months.ts'
import { keepMonths } from './months.ts'
import { prepareNameIndex } from './name-index.ts'
import { openSqlite } from './sqlite.ts'

const keepMs = 400 * day
/** In the middle of a month, so that a month later is the next one. */
const middle = monthStart(noon) + 14 * day

function open(url: string): { readonly database: Database; readonly parts: EngineParts } {
  const parts = openPatientPostgres(url)
  onTestFinished(() => parts.kysely.destroy())
  return { database: createDatabase(parts), parts }
}
const openMigrated = async () => open(await freshPostgresUrl('migrated'))

/** A label for each time, each with an order of its own. */
async function addLabels({ kysely }: EngineParts, times: readonly number[], first = 1): Promise<void> {
  const ids = times.map((_, index) => first + index)
  await kysely
    .insertInto('users')
    .values({ id: 1, phone: '+96651', name: '', created_at: noon })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await kysely
    .insertInto('orders')
    .values(ids.map((id) => ({ ...orderRow, id, user_id: 1 })))
    .execute()
  await kysely
    .insertInto('bookings')
    .values(ids.map((id) => ({ ...bookingRow, id, order_id: id, reference: `AM-${id}` })))
    .execute()
  const rows = times.map((stored_at, index) => ({ ...labelRow, booking_id: first + index, stored_at }))
  await kysely.insertInto('labels').values(rows).execute()
}

/** The bookings with a label, by the part that it lies in. */
async function labelsOf({ kysely }: EngineParts): Promise<Readonly<Record<string, readonly number[]>>> {
  const { rows } = await sql<{ part: string; ids: number[] }>`SELECT tableoid::regclass::text AS part,
    array_agg(booking_id::int ORDER BY booking_id) AS ids FROM labels GROUP BY tableoid`.execute(kysely)
  return Object.fromEntries(rows.map(({ part, ids }) => [part, ids]))
}

const partOf = (at: number) => `labels_${new Date(at).toISOString().slice(0, 7).replace('-', '_')}`

async function existing({ kysely }: EngineParts, name: string): Promise<boolean> {
  const { rows } = await sql<{ name: string | null }>`SELECT to_regclass(${name}) AS name`.execute(kysely)
  return rows[0]?.name != null
}

/** To the end, as the worker does it; returns how many rows went, by the estimate of the database. */
async function keep(database: Database, now: number): Promise<number> {
  await sql`ANALYZE labels`.execute(database.tables)
  let sum = 0
  for (;;) {
    const { rows, more } = await keepMonths(database, 'labels', { now, keepMs, limit: 2 })
    sum += rows
    if (!more) return sum
  }
}

describe('a table by month', () => {
  it('loses a month whole with its first moment, and no row of the next', async () => {
    const { database, parts } = await openMigrated()
    await keep(database, middle)
    const end = monthStart(middle, 1)
    await addLabels(parts, [monthStart(middle), middle, end - 1, end, end + 20 * day])
    expect(await labelsOf(parts)).toEqual({ [partOf(middle)]: [1, 2, 3], [partOf(end)]: [4, 5] })

    expect(await keep(database, monthStart(middle) + keepMs)).toBe(0)
    expect(await keep(database, monthStart(middle) + keepMs + 1)).toBe(3)
    expect(await existing(parts, partOf(middle))).toBe(false)
    expect(await labelsOf(parts)).toEqual({ [partOf(end)]: [4, 5] })
  })

  it('has the next two months beforehand, and takes a label of any other time', async () => {
    const { database, parts } = await openMigrated()
    await keep(database, middle)
    const months = [0, 1, 2, 3].map((later) => monthStart(middle, later))
    expect(await Promise.all(months.map((at) => existing(parts, partOf(at))))).toEqual([
      true,
      true,
      true,
      false,
    ])
    // A clock that jumps, before the worker has seen it, and back.
    const jumped = middle + 5 * 365 * day
    await addLabels(parts, [jumped, jumped + day, jumped + 2 * day, 1])
    expect(await labelsOf(parts)).toEqual({ labels_rest: [1, 2, 3, 4] })
    // They stay where they are, and go by their own age.
    expect(await keep(database, jumped + day)).toBe(1)
    await addLabels(parts, [monthStart(jumped, 1), jumped], 5)
    expect(await labelsOf(parts)).toEqual({ labels_rest: [1, 2, 3, 6], [partOf(monthStart(jumped, 1))]: [5] })
    expect(await keep(database, jumped + day + keepMs)).toBe(2)
    expect(await labelsOf(parts)).toMatchObject({ labels_rest: [2, 3] })
  })

  it('is left as it is while it is read, for the next round', async () => {
    const { database, parts } = await openMigrated()
    await keep(database, middle)
    await addLabels(parts, [middle, monthStart(middle, 2)])
    const late = monthStart(middle) + keepMs + 1
    await parts.kysely.transaction().execute(async (reading) => {
      await reading.selectFrom('labels').select('booking_id').execute()
      expect(await keepMonths(database, 'labels', { now: late, keepMs, limit: 2 })).toEqual({
        rows: 0,
        more: false,
      })
    })
    expect(await labelsOf(parts)).toMatchObject({ [partOf(middle)]: [1] })
    expect(await keep(database, late)).toBe(1)
  })

  it('takes labels while a month is dropped', async () => {
    const { database, parts } = await openMigrated()
    await keep(database, middle)
    await addLabels(parts, [middle, monthStart(middle, 1)])
    let adding: Promise<void> | undefined
    await parts.kysely.transaction().execute(async (dropping) => {
      await sql`DROP TABLE ${sql.table(partOf(middle))}`.execute(dropping)
      adding = addLabels(parts, [monthStart(middle, 2), middle], 10)
      await blockedOrDone(database, adding)
    })
    await adding
    expect(await labelsOf(parts)).toEqual({
      [partOf(monthStart(middle, 1))]: [2],
      [partOf(monthStart(middle, 2))]: [10],
      labels_rest: [11],
    })
  })

  it('is kept by two gateways at once: each row goes once, each month comes once', async () => {
    const url = await freshPostgresUrl('migrated')
    const [one, other] = [open(url), open(url)]
    await Promise.all([keep(one.database, middle), keep(other.database, middle)])
    const months = [0, 1, 2].map((later) => monthStart(middle, later))
    expect(await Promise.all(months.map((at) => existing(one.parts, partOf(at))))).toEqual([true, true, true])
    await addLabels(one.parts, [...months, 1, 2, 3, 4, 5])
    const late = (months[2] ?? 0) + keepMs + 1
    const gone = await Promise.all([keep(one.database, late), keep(other.database, late)])
    // What one left to the other is gone with the next round.
    expect(gone.reduce((sum, rows) => sum + rows, 0) + (await keep(one.database, late))).toBe(8)
    expect(await labelsOf(one.parts)).toEqual({})
  })
})

it('labels of before stay where they are, and go by their age; then their part goes', async () => {
  const place = await freshDatabase('postgres')
  const parts = place.open()
  onTestFinished(() => parts.kysely.destroy())
  await prepareNameIndex(parts.kysely)
  for (const [name, step] of Object.entries(schemaSteps))
    if (name < '0019') await step.up(parts.kysely, 'postgres')
  // One by a clock that is ahead.
  const newest = Date.now() + 100 * day
  await addLabels(parts, [newest - 300 * day, newest - 200 * day, newest])
  await schemaSteps['0019-label-months']?.up(parts.kysely, 'postgres')
  expect(await labelsOf(parts)).toEqual({ labels_before: [1, 2, 3] })
  await addLabels(parts, [newest, monthStart(newest, 1)], 4)
  expect(await labelsOf(parts)).toEqual({ labels_before: [1, 2, 3, 4], [partOf(monthStart(newest, 1))]: [5] })

  const database = createDatabase(parts)
  expect(await keep(database, newest)).toBe(0)
  expect(await keep(database, newest - 200 * day + keepMs + 1)).toBe(2)
  expect(await labelsOf(parts)).toMatchObject({ labels_before: [3, 4] })
  expect(await keep(database, monthStart(newest, 1) + keepMs + 1)).toBe(3)
  expect(await existing(parts, 'labels_before')).toBe(false)
  expect(await labelsOf(parts)).toEqual({})
})

it('a backup has the labels of every part, and a restore gives each its month again', async () => {
  const [from, to] = [await openMigrated(), await openMigrated()]
  const times = [monthStart(noon, -13), noon, monthStart(noon, 1)]
  await addLabels(from.parts, times)
  const file = `${freshFolder()}/copy.sqlite`
  const counts = await backupPostgres(from.parts, file, noon)
  expect(counts.get('labels')).toBe(3)
  const copy = openSqlite(file)
  onTestFinished(() => copy.kysely.destroy())
  await migrate(copy)
  await sql`DROP TABLE backup_info`.execute(copy.kysely)
  await copyToPostgres(copy, to.parts)
  expect(await labelsOf(to.parts)).toEqual(
    Object.fromEntries(times.map((at, index) => [partOf(at), [index + 1]])),
  )
})
