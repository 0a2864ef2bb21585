/** One level of the peak day, as a multiple of the planned load. */
export interface LevelResult {
  readonly factor: number
  readonly isHeld: boolean
}

/**
 * The next level: 1, then 8, then doubling until one fails. If 8 fails, 2 and 4 are tried. Undefined when the result is
 * known or `most` is reached.
 */
export function nextFactor(results: readonly LevelResult[], most: number): number | undefined {
  const wasHeld = new Map(results.map(({ factor, isHeld }) => [factor, isHeld]))
  const highest = Math.max(...wasHeld.keys())
  let next: number | undefined
  if (results.length === 0) next = 1
  else if (wasHeld.get(1) === false) return undefined
  else if (!wasHeld.has(8)) next = 8
  else if (wasHeld.get(8) === false) {
    if (!wasHeld.has(2)) next = 2
    else if (wasHeld.get(2) && !wasHeld.has(4)) next = 4
  } else if (wasHeld.get(highest)) next = highest * 2
  return next !== undefined && next <= most ? next : undefined
}

/** The highest multiple of the planned load that passed; 0 if none did. */
export function highestHeld(results: readonly LevelResult[]): number {
  return Math.max(0, ...results.filter(({ isHeld }) => isHeld).map(({ factor }) => factor))
}
