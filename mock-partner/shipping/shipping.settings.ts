import type { ShippingScenario } from './shipping.scenarios.ts'

/** Forms of the partner's lists. */
export const listShapes = ['usual', 'empty', 'halved', 'one-bad-row', 'unusual'] as const
export type ListShape = (typeof listShapes)[number]

interface ShippingSettings {
  /** Look-ups do not find a shipment for a random time of 0 to this many milliseconds after its creation. */
  lagMs: number
  /** Scenarios of every request, besides those its own magic values trigger. */
  scenarios: ShippingScenario[]
  offices: ListShape
  cities: ListShape
  agents: ListShape
}

/**
 * How the partner behaves until it is changed; not stored over a restart.
 * @param lagMs until it is changed
 * @param random 0 ≤ random < 1
 */
export function createShippingControl(lagMs = 0, random: () => number = Math.random) {
  const initial = (): ShippingSettings => ({
    lagMs,
    scenarios: [],
    offices: 'usual',
    cities: 'usual',
    agents: 'usual',
  })
  let settings = initial()
  return {
    read: (): ShippingSettings => ({ ...settings, scenarios: [...settings.scenarios] }),
    change(part: Partial<ShippingSettings>): void {
      settings = { ...settings, ...part }
    },
    /** Back to the defaults. */
    reset(): void {
      settings = initial()
    },
    /** The lag of the next shipment: from 0 to `longest` or the set lag, whichever is longer. */
    nextLagMs: (longest = 0) => Math.round(random() * Math.max(longest, settings.lagMs)),
  }
}
export type ShippingControl = ReturnType<typeof createShippingControl>

/** A list in the form that is set. `unusual`: codes as numbers, empty texts as null; `one-bad-row`: a row of null. */
export function shaped(rows: readonly object[], shape: ListShape): unknown[] {
  switch (shape) {
    case 'usual':
      return [...rows]
    case 'empty':
      return []
    case 'halved':
      return rows.slice(0, Math.floor(rows.length / 2) - 1)
    case 'one-bad-row':
      return [null, ...rows.slice(1)]
    case 'unusual':
      return rows.map(unusual)
  }
}

/** The same row with a number for a numeric code, null for empty texts and a new field. */
function unusual(row: object): object {
  const fields = Object.entries(row).map(([name, value]: [string, unknown]) => {
    if (value === '') return [name, null]
    const isNumber = name === 'code' && typeof value === 'string' && /^[1-9]\d*$/.test(value)
    return [name, isNumber ? Number(value) : value]
  })
  return { ...Object.fromEntries(fields), region: null }
}
