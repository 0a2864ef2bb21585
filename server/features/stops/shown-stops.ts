import type { Stop } from '#shared/platform/stop.ts'

/** The stops as a gateway has read them last, for browsers. */
export interface ShownStops {
  known: readonly Stop[]
  reading: Promise<readonly Stop[]> | undefined
}

export const noShownStops = (): ShownStops => ({
  known: [],
  reading: undefined,
})
