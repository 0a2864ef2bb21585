import { join, resolve } from 'node:path'
import { resumeClock } from '#server/features/demo/demo.service.ts'
import { createMovableClock, systemClock } from '#server/platform/clock.ts'
import type { Mode } from '#server/platform/modes.ts'
import { createNamedValues } from '#server/platform/named-values.ts'
import { root } from '../lib/repo.mjs'
import { readToolConfig } from '../lib/tool.ts'

/** Now, by the clock of a gateway of this mode: testers may have moved that of a demo. */
export async function readGatewayTime(mode: Mode): Promise<number> {
  if (mode === 'live') return systemClock.now()
  const { DATA_DIR } = readToolConfig()
  const clock = createMovableClock()
  await resumeClock({ clock, values: createNamedValues(join(resolve(root, DATA_DIR), 'demo')) })
  return clock.now()
}
