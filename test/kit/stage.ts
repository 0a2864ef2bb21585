import { inject } from 'vitest'
import type { Engine } from '#server/platform/database/database.ts'
import type {} from './postgres.ts'
import { type Stack, startStack } from './stack.ts'

/** `npm run test:full` runs the long counts. */
export const isFull = process.env.TEST_FULL === '1'

/** The two ways the gateway is run: alone on a file, or beside another one on a PostgreSQL. */
export const stages: readonly {
  readonly name: string
  readonly engine: Engine
  readonly gateways: number
}[] = [
  { name: 'one gateway on SQLite', engine: 'sqlite', gateways: 1 },
  { name: 'two gateways on PostgreSQL', engine: 'postgres', gateways: 2 },
]

/** The URL of an empty PostgreSQL database of its own. */
export async function freshDatabaseUrl(): Promise<string> {
  const response = await fetch(inject('freshPostgres'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** What people would type in: gateways beside each other share it, and with it the names of their cookies. */
const publicUrl = 'http://localhost:3000'

/** A stack on one of the stages, where the provider's callbacks go to `callbackUrl`; whoever starts it closes it. */
export async function startStage(
  { engine, gateways }: { engine: Engine; gateways: number },
  callbackUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Stack> {
  const place =
    engine === 'postgres' && env.DATABASE_URL === undefined ? { DATABASE_URL: await freshDatabaseUrl() } : {}
  return startStack({
    gateways,
    env: { PUBLIC_URL: publicUrl, CALLBACK_URL: callbackUrl, ...env, ...place },
  })
}
