import type { Stop } from '#shared/platform/stop.ts'

export interface ShownStops {
  known: readonly Stop[]
  reading: Promise<readonly Stop[]> | undefined
}

export const noShownStops = (): ShownStops => ({
  known: [],
  reading: undefined,
})
