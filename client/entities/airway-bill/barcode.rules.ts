/** White modules on both sides (ISO/IEC 15417: at least ten). */
export const quietZone = 10

/** SVG path data: each run of ones is a rectangle of height 1; the viewBox is stretched to its container. */
export function barsOf(modules: string): string {
  return [...modules.matchAll(/1+/g)]
    .map((run) => `M${run.index + quietZone} 0h${run[0].length}v1h-${run[0].length}z`)
    .join('')
}

/**
 * The largest width in CSS pixels, at most `available`, at which every module is a whole number of device pixels. Bars
 * of equal modules then have equal widths on screen.
 */
export function wholePixelWidth(modules: number, available: number, pixelRatio: number): number {
  const perModule = Math.max(1, Math.floor((available * pixelRatio) / modules))
  return (perModule * modules) / pixelRatio
}
