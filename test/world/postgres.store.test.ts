import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { openPostgresStore } from './postgres.store.ts'
import { newProgram } from './reality.ts'

it('a gateway that is killed while it waits for a connection leaves nothing under way', async () => {
  const url = await freshPostgresUrl()
  const store = openPostgresStore(url, () => 0)
  onTestFinished(() => store.close())
  const killed = newProgram('gateway')
  const database = store.openFor(killed)
  const ask = () => sql`SELECT 1`.execute(database.tables)

  // The first opens a connection, which the second waits for in the queue of the pool.
  const first = ask()
  await expect.poll(() => store.turns.ready()).toBe(1)
  store.turns.run(0)
  await first
  await expect.poll(() => store.isAtRest()).toBe(true)
  void ask()
  await expect.poll(() => store.isAtRest()).toBe(false)
  killed.isUp = false
  store.drop(killed)

  await expect.poll(() => store.isAtRest()).toBe(true)
})
