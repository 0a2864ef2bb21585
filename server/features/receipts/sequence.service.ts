import { setImmediate as nextTurn } from 'node:timers/promises'
import { hashOf, isWritten } from './receipts.rules.ts'
import type { GapRow, ReceiptRow, ReceiptsStore } from './receipts.store.ts'

export interface SequenceCheck {
  readonly count: number
  /** The last number that was given out. */
  readonly last: number
  /** Numbered, and their documents not written yet. */
  readonly unwritten: number
  /** Left out by restores: no faults. */
  readonly skipped: readonly GapRow[]
  readonly faults: readonly string[]
  /** False when the check stopped at `mostFaults`. */
  readonly isComplete: boolean
}

const rowsAtOnce = 500
const mostFaults = 100

/**
 * Reads every stored receipt in order: no number is missing, each document is what was issued, and each names the one
 * before it. What has been deleted at the end of its time is missing at the beginning only.
 */
export async function checkSequence(
  store: Pick<ReceiptsStore, 'listAfter' | 'listGaps' | 'findLastNumber'>,
): Promise<SequenceCheck> {
  const skipped = await store.listGaps()
  // Read first: what is issued meanwhile has a higher number.
  const last = await store.findLastNumber()
  const faults: string[] = []
  let count = 0
  let unwritten = 0
  let before: ReceiptRow | undefined
  for (;;) {
    const rows = await store.listAfter(before?.number ?? 0, rowsAtOnce)
    for (const row of rows) {
      faults.push(...faultsOf(row, before, skipped))
      before = row
      count += 1
      if (!isWritten(row)) unwritten += 1
    }
    if (faults.length >= mostFaults || rows.length < rowsAtOnce) break
    await nextTurn()
  }
  const isComplete = faults.length < mostFaults
  const reached = before?.number ?? 0
  // With no row at all, everything was deleted at the end of its time.
  if (isComplete && count > 0 && reached < last && !isSkipped(reached + 1, last, skipped))
    faults.push(`missing: ${rangeOf(reached + 1, last)}`)
  return { count, last, unwritten, skipped, faults: faults.slice(0, mostFaults), isComplete }
}

function faultsOf(row: ReceiptRow, before: ReceiptRow | undefined, skipped: readonly GapRow[]): string[] {
  const faults: string[] = []
  if (isWritten(row) && hashOf(row.document) !== row.hash) faults.push(`changed: ${row.number}`)
  if (!before) return faults
  const [from, to] = [before.number + 1, row.number - 1]
  if (from <= to && !isSkipped(from, to, skipped)) faults.push(`missing: ${rangeOf(from, to)}`)
  if (isWritten(row) && row.previous_hash !== before.hash)
    faults.push(`does not follow the one before it: ${row.number}`)
  return faults
}

/** Two restores without a receipt between them leave out two ranges side by side. */
function isSkipped(from: number, to: number, skipped: readonly GapRow[]): boolean {
  let next = from
  for (const { first_number, last_number } of skipped)
    if (first_number <= next && last_number >= next) next = last_number + 1
  return next > to
}

const rangeOf = (from: number, to: number) => (from === to ? `${from}` : `${from} to ${to}`)
