import { expect, it, onTestFinished } from 'vitest'
import { migrate, type SchemaStep, schemaSteps } from '#server/platform/database/migrate.ts'
import { healthPaths } from '#server/platform/plugins/health.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson } from '#test/kit/gateway/person.ts'

/** Columns of tables whose rows the build before reads whole, by statements that PostgreSQL has planned. */
const columns: SchemaStep = {
  isAdditive: true,
  statementsOf: () => [
    'CREATE TABLE notes (id integer PRIMARY KEY NOT NULL)',
    ...['users', 'sessions', 'orders', 'bookings', 'payment_attempts', 'messages'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN note text NOT NULL DEFAULT ''`,
    ),
  ],
}

const newerSteps = { ...schemaSteps, '9999-notes': columns }

const schemaAt = async (url: string) => {
  const answer = await fetch(`${url}${healthPaths.ready}`)
  return { status: answer.status, ...((await answer.json()) as { ready: boolean; schema: string }) }
}

it('a gateway and its workers go on while a newer build migrates additively and serves beside it', async () => {
  const stack = await ownStack({ engine: 'postgres' })
  onTestFinished(() => stack.close())
  const pilgrim = await signedUpPilgrim(stack)
  await issuedAwb(pilgrim.person, await paidOrder(stack, pilgrim))

  await Promise.all([
    migrate({ engine: 'postgres', kysely: stack.database.tables }, newerSteps),
    ...Array.from({ length: 4 }, () => paidOrder(stack, pilgrim)),
  ])
  const newer = await stack.addGateway(0, newerSteps)
  const beside = {
    person: newPerson(stack, { gatewayUrl: newer.listeningOrigin, browserOf: pilgrim.person }),
    user: pilgrim.user,
  }
  const orders = [
    await paidOrder(stack, pilgrim),
    await paidOrder({ ...stack, gatewayUrl: newer.listeningOrigin }, beside),
  ]
  for (const orderId of orders)
    expect(await issuedAwb(pilgrim.person, orderId)).toBe(await issuedAwb(beside.person, orderId))

  const older = await eventually(async () => {
    const found = await schemaAt(stack.gatewayUrl)
    return found.schema === 'newer' ? found : undefined
  })
  expect(older).toMatchObject({ status: 200, ready: true })
  const metrics = await fetch(`${stack.gatewayUrl}/metrics`)
  expect(await metrics.text()).toMatch(/^amtiati_schema_newer_migrations 1$/m)
  expect(await schemaAt(newer.listeningOrigin)).toMatchObject({ status: 200, ready: true, schema: 'known' })
  // Another gateway of the older build starts, as after a crash.
  const restarted = await stack.addGateway(0)
  expect(await schemaAt(restarted.listeningOrigin)).toMatchObject({ status: 200, schema: 'newer' })
  const said = stack.logs().filter((line) => line.includes('database.schema-newer'))
  expect(said).toHaveLength(2)
  expect(said[0]).toContain('"migrations":["9999-notes"]')
})

it('a gateway does not begin to work when a newer build has replaced the schema since it opened the database', async () => {
  const stack = await ownStack({ engine: 'postgres' })
  onTestFinished(() => stack.close())
  const replacing = { isAdditive: false, statementsOf: () => [] }
  await migrate(
    { engine: 'postgres', kysely: stack.database.tables },
    { ...schemaSteps, '9999-replaces': replacing },
  )
  await expect(stack.addGateway(0)).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringContaining('newer than this build (9999-replaces)'),
  })
})
