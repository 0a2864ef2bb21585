import type { Stop, StopKind } from '#shared/platform/stop.ts'
import { stopKinds } from '#shared/platform/stop-kinds.ts'
import { isInForce } from './in-force.ts'

export type Sale = { readonly [What in Exclude<StopKind, 'all'>]?: string | null | undefined }

/** The broadest sales stop wins, and the newest of equally broad stops. */
export function stopOf<S extends Stop>(stops: readonly S[], sale: Sale, now: number): S | undefined {
  const holding = stops.filter(
    (stop) => isInForce(stop, now) && (stop.what === 'all' || sale[stop.what] === stop.code),
  )
  return stopKinds.flatMap((what) => holding.filter((stop) => stop.what === what).slice(-1))[0]
}
