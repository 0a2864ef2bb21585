export interface Position {
  readonly latitude: number
  readonly longitude: number
}

const earthRadiusKm = 6371

/** The distance in a straight line, in kilometres (haversine formula). */
export function distanceKm(from: Position, to: Position): number {
  const [latitude, longitude] = [radians(to.latitude - from.latitude), radians(to.longitude - from.longitude)]
  const chord =
    Math.sin(latitude / 2) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(longitude / 2) ** 2
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** Sorts by distance. Places without coordinates come last, in their order. Without `from` the order does not change. */
export function byDistance<P extends { readonly coordinates?: Position | null | undefined }>(
  places: readonly P[],
  from: Position | undefined,
): readonly { readonly place: P; readonly km: number | undefined }[] {
  return places
    .map((place) => ({
      place,
      km: from && place.coordinates ? distanceKm(from, place.coordinates) : undefined,
    }))
    .sort((a, b) => (a.km ?? Infinity) - (b.km ?? Infinity) || 0)
}
