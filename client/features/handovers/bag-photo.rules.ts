import type { PhotoTry } from '#client/entities/claim/photo.ts'
import { handoverPhotoLongestSide, handoverPhotoMaxBytes } from '#shared/orders/handovers.operations.ts'

const largest = { side: handoverPhotoLongestSide, mostBytes: handoverPhotoMaxBytes }

/** The quality falls first: 1,280 px at 0.8 is too much only for a bag on a patterned ground. */
export const photoTries: readonly PhotoTry[] = [
  { ...largest, quality: 0.8 },
  { ...largest, quality: 0.6 },
  { ...largest, quality: 0.45 },
  { ...largest, side: 960, quality: 0.5 },
  { ...largest, side: 720, quality: 0.45 },
  { ...largest, side: 480, quality: 0.4 },
]

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The part of a frame that its view shows, which it fills (`object-fit: cover`): people beside the bag, whom the agent does
 * not see in the view, are not in the picture. The whole frame for a view without a size.
 */
export function shownPart(frame: Size, view: Size) {
  const scale = Math.max(view.width / frame.width, view.height / frame.height)
  if (!(scale > 0)) return { x: 0, y: 0, ...frame }
  const width = Math.min(frame.width, Math.round(view.width / scale))
  const height = Math.min(frame.height, Math.round(view.height / scale))
  return {
    x: Math.round((frame.width - width) / 2),
    y: Math.round((frame.height - height) / 2),
    width,
    height,
  }
}
