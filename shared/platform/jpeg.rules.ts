/** A segment of a JPEG is FF, a marker and a length of two bytes (ISO/IEC 10918-1, B.1.1). FF D9 must end the file. */
interface Segment {
  readonly marker: number
  readonly from: number
  readonly to: number
}

const startOfScan = 0xda
const endOfPicture = 0xd9

/** A scan ends at the first FF that no stuffed byte (00), filler (FF) or restart (D0 to D7) follows. */
function endOfScan(bytes: Uint8Array, from: number) {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0
    const isOfScan = next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (bytes[at] === 0xff && !isOfScan) return at
  }
  return bytes.length
}

function segmentsOf(bytes: Uint8Array): readonly Segment[] | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const segments: Segment[] = []
  for (let from = 2; from + 2 <= bytes.length; ) {
    const segment = segmentAt(bytes, from)
    if (segment === undefined) return endsAt(bytes, from) && segments.some(isScan) ? segments : undefined
    segments.push(segment)
    from = isScan(segment) ? endOfScan(bytes, segment.to) : segment.to
  }
  return undefined
}

const isScan = ({ marker }: Segment) => marker === startOfScan

const endsAt = (bytes: Uint8Array, at: number) =>
  bytes[at] === 0xff && bytes[at + 1] === endOfPicture && at + 2 === bytes.length

function segmentAt(bytes: Uint8Array, from: number): Segment | undefined {
  const marker = bytes[from + 1] ?? 0
  const to = from + 2 + numberAt(bytes, from + 2)
  const isMarker = bytes[from] === 0xff && marker >= 0xc0 && marker < 0xff && marker !== endOfPicture
  return isMarker && to >= from + 4 && to <= bytes.length ? { marker, from, to } : undefined
}

const numberAt = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

/** Width and height are limited, because a browser needs four bytes of memory for each pixel. */
const mostPixels = 4_096

/** C0 to CF begin a frame, except C4 (Huffman tables), C8 (extension) and CC (arithmetic coding). */
const isFrame = ({ marker }: Segment) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** In a JPEG frame, marker, length and precision come before height and width (B.2.2). */
function hasFrameToShow(bytes: Uint8Array, segments: readonly Segment[], longestSide: number) {
  const frames = segments.filter(isFrame)
  const [frame] = frames
  if (frame === undefined || frames.length > 1 || frame.to - frame.from < 9) return false
  const sides = [numberAt(bytes, frame.from + 5), numberAt(bytes, frame.from + 7)]
  return sides.every((side) => side >= 1 && side <= longestSide)
}

/**
 * A browser needs these segments of a JPEG to show the picture: JFIF without a thumbnail (T.871), parts of a colour
 * profile (ICC.1, B.4) and Adobe's colour transform. Only the length of a profile varies.
 */
const shownBy: Readonly<Record<number, { readonly begins: string; readonly length?: number }>> = {
  224: { begins: 'JFIF\0', length: 18 },
  226: { begins: 'ICC_PROFILE\0' },
  238: { begins: 'Adobe', length: 16 },
}

/** Only the first part of a colour profile has a header, with the letters `acsp` at byte 36. */
function isProfile(bytes: Uint8Array, { from, to }: Segment) {
  const data = from + 18
  const [part = 0, parts = 0] = [bytes[data - 2], bytes[data - 1]]
  if (to <= data || part < 1 || part > parts) return false
  return part > 1 || String.fromCharCode(...bytes.subarray(data + 36, data + 40)) === 'acsp'
}

/** Exif, XMP, IPTC, further pictures and comments can contain places, times and names, so photos must not have them. */
function isMetadata(bytes: Uint8Array, { marker, from, to }: Segment) {
  if (marker === 0xfe) return true
  if (marker < 0xe0 || marker > 0xef) return false
  const shown = shownBy[marker]
  if (shown === undefined) return true
  const begin = String.fromCharCode(...bytes.subarray(from + 4, Math.min(to, from + 4 + shown.begins.length)))
  if (begin !== shown.begins || (shown.length !== undefined && to - from !== shown.length)) return true
  return marker === 226 && !isProfile(bytes, { marker, from, to })
}

export function isBarePhoto(bytes: Uint8Array, longestSide: number = mostPixels): boolean {
  const segments = segmentsOf(bytes)
  if (segments === undefined || !hasFrameToShow(bytes, segments, longestSide)) return false
  return !segments.some((segment) => isMetadata(bytes, segment))
}

/**
 * Removes metadata that some browsers add, such as Exif, from a photo. @returns undefined when the bytes are not a JPEG
 */
export function barePhoto(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const dropped = segmentsOf(bytes)?.filter((segment) => isMetadata(bytes, segment))
  if (dropped === undefined) return undefined
  const bare = new Uint8Array(bytes.length - dropped.reduce((sum, { from, to }) => sum + to - from, 0))
  let at = 0
  let next = 0
  for (const { from, to } of [...dropped, { from: bytes.length, to: bytes.length }]) {
    bare.set(bytes.subarray(next, from), at)
    at += from - next
    next = to
  }
  return bare
}
