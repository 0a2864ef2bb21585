import { writeFileSync } from 'node:fs'
import { printPage } from './pdf.ts'

/*
 * Films for the fake camera of Chromium (`--use-file-for-fake-video-capture`): uncompressed grey frames in Y4M, without a
 * video encoder. The film loops, and is read anew whenever a page opens the camera.
 */

const width = 1280
const height = 720
const frames = 3
/** A counter in the shade. */
const ground = 110
const white = 235
const black = 16

/** A picture of grey points, row by row; 0 is black. */
interface Picture {
  readonly width: number
  readonly height: number
  /** The row that is shown in the middle of the frame. */
  readonly middle: number
  at(x: number, y: number): number
}

/** As far as a phone is held from a label. */
const pixelsPerMm = 5
const mmPerInch = 25.4
/** The middle of the barcode, from the upper edge of the label (mock-partner/shipping/shipping.label.ts). */
const barcodeMm = 123

/** Writes a film of a label with all that surrounds its barcode, which is in the middle of the frame. */
export async function writeLabelFilm(file: string, pdf: Uint8Array): Promise<void> {
  const page = await printPage(pdf, pixelsPerMm * mmPerInch)
  writeFilm(file, {
    middle: barcodeMm * pixelsPerMm,
    width: page.width,
    height: page.height,
    // Labels are black on white: the first of the four bytes of a pixel says it.
    at: (x, y) => page.bytes[(y * page.width + x) * 4] ?? 255,
  })
}

/** Writes a film of an empty counter. */
export function writeEmptyFilm(file: string): void {
  writeFilm(file, { width: 0, height: 0, middle: 0, at: () => 255 })
}

/** What does not fit into the frame is cut off. */
function writeFilm(file: string, picture: Picture): void {
  const luma = Buffer.alloc(width * height, ground)
  const left = Math.round((width - picture.width) / 2)
  const top = Math.round(height / 2 - picture.middle)
  for (let y = 0; y < height; y += 1) {
    if (y < top || y >= top + picture.height) continue
    for (let x = Math.max(0, left); x < Math.min(width, left + picture.width); x += 1) {
      const grey = picture.at(x - left, y - top)
      luma[y * width + x] = Math.round(black + (grey / 255) * (white - black))
    }
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((width * height) / 2, 128)])
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F30:1 Ip A1:1 C420jpeg\n`)
  writeFileSync(file, Buffer.concat([head, ...Array.from({ length: frames }, () => frame)]))
}
