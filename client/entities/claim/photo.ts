import { photoMaxBytes } from '#shared/claims/claims.operations.ts'
import { barePhoto } from '#shared/platform/jpeg.rules.ts'

/** A picture as it is sent, and a small one to show: the page may show no other kind of address. */
export interface Photo {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly preview: string
}

/** The longer side and the quality of one try, and the size of a file that is small enough. */
export interface PhotoTry {
  readonly side: number
  readonly quality: number
  readonly mostBytes: number
}

/** Twenty seconds at 100 kbit/s: the gateway waits no longer for a request. */
const wantedBytes = 240_000

/** The last one may be as large as any. */
const triesOfClaim: readonly PhotoTry[] = [
  { side: 1_600, quality: 0.8, mostBytes: wantedBytes },
  { side: 1_600, quality: 0.6, mostBytes: wantedBytes },
  { side: 1_200, quality: 0.6, mostBytes: wantedBytes },
  { side: 800, quality: 0.5, mostBytes: photoMaxBytes },
]
const previewSide = 240

/** The picture of a file. Undefined for a file that this browser cannot show. */
export async function takePhoto(file: Blob): Promise<Photo | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return undefined
  try {
    return await photoOf(picture, triesOfClaim)
  } finally {
    picture.close()
  }
}

/**
 * Draws the picture anew, so that what the camera wrote beside it (place, time, device) stays on the phone: by the first try
 * whose file is small enough. Undefined when no file is.
 */
export async function photoOf(picture: Picture, tries: readonly PhotoTry[]): Promise<Photo | undefined> {
  for (const { side, quality, mostBytes } of tries) {
    const blob = await new Promise<Blob | null>((resolve) =>
      drawn(picture, side).toBlob(resolve, 'image/jpeg', quality),
    )
    const bytes = blob === null ? undefined : barePhoto(new Uint8Array(await blob.arrayBuffer()))
    if (bytes !== undefined && bytes.length <= mostBytes)
      return { bytes, preview: drawn(picture, previewSide).toDataURL('image/jpeg', 0.7) }
  }
  return undefined
}

type Picture = ImageBitmap | HTMLCanvasElement

function drawn(picture: Picture, side: number): HTMLCanvasElement {
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
