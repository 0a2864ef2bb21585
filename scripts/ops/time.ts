import { resolve } from 'node:path'
import { resumeClock } from '#server/features/demo/demo.ts'
import { createMovableClock } from '#server/platform/clock.ts'
import type { Mode } from '#server/platform/modes.ts'
import { root } from '../lib/repo.mjs'
import { readToolConfig } from '../lib/tool.ts'

/** How far testers have moved the clock of a demo ahead of real time. */
export async function readAheadMs(mode: Mode): Promise<number> {
  if (mode === 'live') return 0
  const { DATA_DIR } = readToolConfig()
  const clock = createMovableClock()
  await resumeClock({ clock, dataDir: resolve(root, DATA_DIR) })
  return clock.aheadMs()
}
