import { expect, it, vi } from 'vitest'
import { createGateway } from '#server/app.ts'
import { createRandom } from '#test/kit/basics/random.ts'
import { createGateways } from './gateways.ts'
import { currentProgram, type Program, type Reality } from './reality.ts'
import { createTurns } from './turns.ts'
import type { Store } from './world.store.ts'

vi.mock(import('#server/app.ts'), async (load) => ({ ...(await load()), createGateway: vi.fn() }))

const round = () => new Promise<void>((resolve) => setImmediate(resolve))

it('the first gateway is the first to wait for a statement, however long it takes to load', async () => {
  const turns = createTurns(() => true)
  vi.mocked(createGateway).mockImplementation(async () => {
    const program = currentProgram() as Program
    if (program.name === 'gateway 1') for (let rounds = 0; rounds < 20; rounds += 1) await round()
    return { ready: () => turns.take(program) } as unknown as Awaited<ReturnType<typeof createGateway>>
  })
  const gateways = createGateways({
    random: createRandom(1),
    reality: { settle: round, now: () => 0 } as Reality,
    store: { turns, openFor: () => undefined } as unknown as Store,
    tell: () => undefined,
    wait: round,
  })
  gateways.startAll(() => 0)
  while (gateways.isLoading()) await round()
  expect([turns.run(0).name, turns.run(0).name]).toEqual(['gateway 1', 'gateway 2'])
})
