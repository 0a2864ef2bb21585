import { useMemo } from 'react'
import { useStored } from '#client/platform/browser-storage.ts'
import { readKeptBags } from './kept-bags.ts'
import { useShift } from './shift.ts'
import { type Tally, tallyOf } from './tally.rules.ts'
import { useUnsent } from './use-unsent.ts'

/** The agent's counts, read from the confirmations and bags on this device. */
export function useTally(agentId: number): Tally {
  const stored = useStored('keptBags')
  const shift = useShift(agentId)
  const unsent = useUnsent(agentId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is stored is read anew
  const kept = useMemo(() => readKeptBags(agentId), [agentId, stored, shift])
  return tallyOf(kept, shift, unsent, Date.now())
}
