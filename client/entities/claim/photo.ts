import { photoMaxBytes } from '#shared/claims/claims.operations.ts'
import { barePhoto } from '#shared/platform/jpeg.rules.ts'

/** A picture as it is sent, and a small one to show: the page may show no other kind of address. */
export interface Photo {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly preview: string
}

/** The longer side and the quality, until the file is small enough for a slow line; the last one may be as large as any. */
const tries = [
  { side: 1_600, quality: 0.8 },
  { side: 1_600, quality: 0.6 },
  { side: 1_200, quality: 0.6 },
  { side: 800, quality: 0.5 },
] as const
const previewSide = 240
/** Twenty seconds at 100 kbit/s: the gateway waits no longer for a request. */
const wantedBytes = 240_000

/**
 * Draws the picture anew, so that what the camera wrote beside it (place, time, device) stays on the phone. Undefined for a
 * file that this browser cannot show.
 */
export async function takePhoto(file: Blob): Promise<Photo | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return undefined
  try {
    for (const [index, { side, quality }] of tries.entries()) {
      const most = index === tries.length - 1 ? photoMaxBytes : wantedBytes
      const blob = await new Promise<Blob | null>((resolve) =>
        drawn(picture, side).toBlob(resolve, 'image/jpeg', quality),
      )
      const bytes = blob === null ? undefined : barePhoto(new Uint8Array(await blob.arrayBuffer()))
      if (bytes !== undefined && bytes.length <= most)
        return { bytes, preview: drawn(picture, previewSide).toDataURL('image/jpeg', 0.7) }
    }
    return undefined
  } finally {
    picture.close()
  }
}

function drawn(picture: ImageBitmap, side: number): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('no canvas')
  // A transparent picture is black on a canvas without a ground.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}
