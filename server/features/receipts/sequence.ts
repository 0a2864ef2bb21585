import { setImmediate as nextTurn } from 'node:timers/promises'
import type { QueryCore } from '#server/platform/core.ts'
import {
  findLastReceiptNumber,
  type GapRow,
  listReceiptGaps,
  listReceiptNumbers,
  readUnwrittenReceipts,
} from './receipts.queries.ts'

export interface SequenceCheck {
  readonly count: number
  readonly last: number
  readonly unwritten: number
  readonly skipped: readonly GapRow[]
  readonly faults: readonly string[]
  readonly isComplete: boolean
}

const numbersAtOnce = 500
const mostFaults = 100

/** Receipts before the first stored one have expired, so their numbers are not missing. */
export async function checkSequence(core: QueryCore): Promise<SequenceCheck> {
  const skipped = await listReceiptGaps(core)
  // Receipts that are issued during the check have higher numbers, so the last number is read first.
  const last = await findLastReceiptNumber(core)
  const { count: unwritten } = await readUnwrittenReceipts(core)
  const faults: string[] = []
  const checkBetween = (from: number, to: number) => {
    if (!isSkipped(from, to, skipped)) faults.push(`missing: ${from === to ? from : `${from} to ${to}`}`)
  }
  let count = 0
  let before: number | undefined
  for (;;) {
    const numbers = await listReceiptNumbers(core, before ?? 0, numbersAtOnce)
    for (const number of numbers) {
      if (before !== undefined) checkBetween(before + 1, number - 1)
      before = number
    }
    count += numbers.length
    if (faults.length >= mostFaults || numbers.length < numbersAtOnce) break
    await nextTurn()
  }
  const isComplete = faults.length < mostFaults
  if (isComplete && before !== undefined) checkBetween(before + 1, last)
  return { count, last, unwritten, skipped, faults: faults.slice(0, mostFaults), isComplete }
}

/** After two restores without a receipt between them, the recorded gaps touch. */
function isSkipped(from: number, to: number, skipped: readonly GapRow[]) {
  let next = from
  for (const { first_number, last_number } of skipped)
    if (first_number <= next && last_number >= next) next = last_number + 1
  return next > to
}
