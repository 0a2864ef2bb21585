const dayMs = 24 * 60 * 60_000

const earliest = Date.UTC(2020, 0, 1)

/**
 * `impossible`: the date does not exist or is before 2020. `early`: before `from`. `late`: more than a day after `to`.
 */
type TimeFault = 'impossible' | 'early' | 'late'

interface PlausibleTime {
  readonly at: number
  readonly fault: TimeFault | undefined
}

/**
 * Moves the reported time of a past event to between `from` and `to`, because reports can be wrong. `at` is undefined
 * for a date that does not exist.
 */
export function plausibleTime(
  at: number | undefined,
  { from, to }: { readonly from: number; readonly to: number },
): PlausibleTime {
  if (at === undefined || Number.isNaN(at)) return { at: to, fault: 'impossible' }
  return { at: Math.min(to, Math.max(from, at)), fault: faultOf(at, from, to) }
}

function faultOf(at: number, from: number, to: number): TimeFault | undefined {
  if (at < earliest) return 'impossible'
  if (at < from) return 'early'
  return at > to + dayMs ? 'late' : undefined
}
