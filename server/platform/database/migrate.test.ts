import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { eventually } from '#test/kit/basics/eventually.ts'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { engines, freshDatabase } from '#test/kit/database/databases.ts'
import { openMemoryParts } from '#test/kit/database/memory-database.ts'
import type { EngineParts } from './database.ts'
import { migrate, readNewerSteps, type SchemaStep, schemaSteps } from './migrate.ts'

async function withEmpty<T>(
  engine: (typeof engines)[number],
  work: (open: () => EngineParts) => Promise<T>,
): Promise<T> {
  const place = await freshDatabase(engine)
  const opened: EngineParts[] = []
  try {
    return await work(() => {
      const parts = place.open()
      opened.push(parts)
      return parts
    })
  } finally {
    for (const { kysely } of opened) await kysely.destroy()
    await place.remove()
  }
}

/** Tables, columns, and which are required, as the engine reports them. */
async function shapeOf({ kysely }: EngineParts): Promise<Record<string, readonly string[]>> {
  const tables = await kysely.introspection.getTables()
  return Object.fromEntries(
    tables
      .map(({ name, columns }): [string, string[]] => [
        name,
        columns.map((column) => `${column.name}${column.isNullable ? '?' : ''}`).sort(),
      ])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

async function appliedOn({ kysely }: EngineParts): Promise<unknown[]> {
  return kysely.selectFrom('kysely_migration').select(['name', 'timestamp']).orderBy('name').execute()
}

const adding = (table: string): SchemaStep => ({
  isAdditive: true,
  statementsOf: () => [`CREATE TABLE ${table} (id integer PRIMARY KEY NOT NULL)`],
})
const replacing: SchemaStep = {
  isAdditive: false,
  statementsOf: () => ['ALTER TABLE liveness RENAME COLUMN writes TO written'],
}

describe('the migrations', () => {
  it('are numbered, without a gap, in the order of their names', () => {
    const names = Object.keys(schemaSteps)
    expect(names.length).toBeGreaterThan(0)
    expect(names).toEqual([...names].sort())
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z]+(-[a-z]+)*$/)
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1))
    // They are loaded by name, without a type.
    for (const { isAdditive } of Object.values(schemaSteps)) expect(isAdditive).toBeTypeOf('boolean')
  })

  it('give the same schema as the copy that unit tests use', async () => {
    const schemaOf = async ({ kysely }: EngineParts) =>
      (await sql`SELECT type, name, sql FROM sqlite_schema ORDER BY type, name`.execute(kysely)).rows
    await withEmpty('sqlite', async (open) => {
      const parts = open()
      await migrate(parts)
      const copy = await openMemoryParts()
      try {
        expect(await schemaOf(copy)).toEqual(await schemaOf(parts))
        // Every step counts as applied.
        await migrate(copy)
      } finally {
        await copy.kysely.destroy()
      }
    })
  })

  it('end with the same tables, columns and required columns on both engines', async () => {
    const [sqlite, postgres] = await Promise.all(
      engines.map((engine) =>
        withEmpty(engine, async (open) => {
          const parts = open()
          await migrate(parts)
          return shapeOf(parts)
        }),
      ),
    )
    expect(Object.keys(sqlite ?? {})).toEqual(
      expect.arrayContaining(['orders', 'sessions', 'payment_events']),
    )
    expect(sqlite).toEqual(postgres)
  })
})

describe.each(engines)('migrate on %s', (engine) => {
  it('changes nothing when it runs again', () =>
    withEmpty(engine, async (open) => {
      const parts = open()
      await migrate(parts)
      const before = { shape: await shapeOf(parts), applied: await appliedOn(parts) }
      expect(before.applied).toHaveLength(Object.keys(schemaSteps).length)
      await migrate(parts)
      expect({ shape: await shapeOf(parts), applied: await appliedOn(parts) }).toEqual(before)
    }))

  it('leaves a database alone that newer builds have migrated additively, and they go on from there', () =>
    withEmpty(engine, async (open) => {
      const parts = open()
      await migrate(parts)
      expect(await readNewerSteps(parts.kysely)).toEqual({ names: [], areAdditive: true })
      const newer = { ...schemaSteps, '9997-notes': adding('notes') }
      await migrate(parts, newer)
      const before = { shape: await shapeOf(parts), applied: await appliedOn(parts) }
      await migrate(parts)
      expect({ shape: await shapeOf(parts), applied: await appliedOn(parts) }).toEqual(before)
      await migrate(parts, { ...newer, '9998-marks': adding('marks') })
      expect(await readNewerSteps(parts.kysely)).toEqual({
        names: ['9997-notes', '9998-marks'],
        areAdditive: true,
      })
      expect(await readNewerSteps(parts.kysely, newer)).toMatchObject({ names: ['9998-marks'] })
      await migrate(parts)
    }))

  const applying = (steps: Readonly<Record<string, SchemaStep>>) => (parts: EngineParts) =>
    migrate(parts, { ...schemaSteps, ...steps })
  it.each<[string, (parts: EngineParts) => Promise<unknown>, string]>([
    [
      'one of several migrations of it is not additive',
      applying({ '9997-replaces': replacing, '9998-notes': adding('notes') }),
      '9997-replaces, 9998-notes',
    ],
    [
      'nothing says that its migration is additive',
      ({ kysely }) =>
        kysely.insertInto('kysely_migration').values({ name: '9999-later', timestamp: '2999' }).execute(),
      '9999-later',
    ],
  ])('refuses a database of a newer build and names its migrations, when %s', (_, change, names) =>
    withEmpty(engine, async (open) => {
      const parts = open()
      await migrate(parts)
      await change(parts)
      await expect(migrate(parts)).rejects.toMatchObject({
        name: 'StartFailure',
        message: `the database is newer than this build (${names}). Start the newer build, or restore the copy made before the upgrade.`,
      })
    }),
  )

  it('refuses a database with additive migrations of another build that lacks one of this build', () =>
    withEmpty(engine, async (open) => {
      const parts = open()
      await migrate(parts, { ...schemaSteps, '9998-notes': adding('notes') })
      const own = { ...schemaSteps, '9997-marks': adding('marks') }
      await expect(migrate(parts, own)).rejects.toMatchObject({
        name: 'StartFailure',
        message: expect.stringContaining('(9998-notes)'),
      })
    }))

  it.each([
    ['whose statements are not known', 'DROP TABLE schema_steps'],
    ['with other statements', "UPDATE schema_steps SET hash = 'another'"],
  ])('refuses a database of another build, %s, and says how to empty it', (_, change) =>
    withEmpty(engine, async (open) => {
      const parts = open()
      await migrate(parts)
      await sql.raw(change).execute(parts.kysely)
      await expect(migrate(parts)).rejects.toMatchObject({
        name: 'StartFailure',
        message: expect.stringMatching(/another build.*delete amtiati\.sqlite\*.*DROP SCHEMA public CASCADE/),
      })
    }),
  )

  it('rolls back a failing step, so that the next start can try again', () =>
    withEmpty(engine, async (open) => {
      const parts = open()
      // The last table exists already, so the step fails after it has created all others.
      await parts.kysely.schema.createTable('installation').addColumn('id', 'integer').execute()
      await expect(migrate(parts)).rejects.toThrow(/installation/)
      expect(await appliedOn(parts)).toEqual([])
      await parts.kysely.schema.dropTable('installation').execute()
      await migrate(parts)
      expect(await appliedOn(parts)).toHaveLength(Object.keys(schemaSteps).length)
    }))
})

describe('migrate on postgres', () => {
  it('lets two gateways start on one empty database at the same time', () =>
    withEmpty('postgres', async (open) => {
      const [one, other] = [open(), open()]
      await Promise.all([migrate(one), migrate(other)])
      expect(await appliedOn(one)).toHaveLength(Object.keys(schemaSteps).length)
      expect(await shapeOf(other)).toEqual(await shapeOf(one))
    }))

  it('lets requests go on while it waits for a table that a transaction holds', () =>
    withEmpty('postgres', async (open) => {
      const [newer, older] = [open(), open()]
      await migrate(older)
      const step: SchemaStep = {
        isAdditive: true,
        statementsOf: () => ['ALTER TABLE users ADD COLUMN note text'],
      }
      const read = (kysely: EngineParts['kysely']) => sql`SELECT id FROM users`.execute(kysely)
      const { migrating } = await older.kysely.transaction().execute(async (holder) => {
        await read(holder)
        const migrating = migrate(newer, { ...schemaSteps, '9999-note': step })
        await eventually(async () => {
          const { rows } = await sql`SELECT 1 FROM pg_locks
            WHERE relation = 'users'::regclass AND NOT granted`.execute(older.kysely)
          return rows[0]
        })
        await read(older.kysely)
        return { migrating }
      })
      await migrating
      expect((await readNewerSteps(older.kysely)).names).toEqual(['9999-note'])
    }))

  it('restores the timeouts for requests', () =>
    withEmpty('postgres', async (open) => {
      const parts = open()
      await migrate(parts)
      const { rows } = await sql<{ statement_timeout: string }>`SHOW statement_timeout`.execute(parts.kysely)
      expect(rows).toEqual([{ statement_timeout: `${patienceMs / 60_000}min` }])
      expect((await sql`SHOW lock_timeout`.execute(parts.kysely)).rows).toEqual([{ lock_timeout: '0' }])
    }))
})
