/**
 * The frame of a JPEG file (ISO/IEC 10918-1, B.1.1): it begins with FF D8, a segment is FF, a marker and a length of two bytes,
 * each scan of the picture begins with the segment FF DA, and FF D9 ends the picture, and here the file. Nothing is decoded.
 */
interface Segment {
  readonly marker: number
  readonly from: number
  readonly to: number
}

const startOfScan = 0xda
const endOfPicture = 0xd9

/** Where the entropy-coded bytes of a scan end: at a marker that is no stuffed byte, no filler and no restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0
    const isOfScan = next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (bytes[at] === 0xff && !isOfScan) return at
  }
  return bytes.length
}

/** All segments before the end of the picture; undefined for anything that is no JPEG, or more than one. */
function segmentsOf(bytes: Uint8Array): readonly Segment[] | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const segments: Segment[] = []
  let scans = 0
  for (let from = 2; from + 2 <= bytes.length; ) {
    const marker = bytes[from + 1] ?? 0
    if (bytes[from] !== 0xff || marker < 0xc0 || marker === 0xff) return undefined
    // A second picture behind it is a file of its own.
    if (marker === endOfPicture) return scans > 0 && from + 2 === bytes.length ? segments : undefined
    const length = ((bytes[from + 2] ?? 0) << 8) | (bytes[from + 3] ?? 0)
    const to = from + 2 + length
    if (length < 2 || to > bytes.length) return undefined
    segments.push({ marker, from, to })
    if (marker === startOfScan) scans += 1
    from = marker === startOfScan ? endOfScan(bytes, to) : to
  }
  return undefined
}

/** JFIF, a colour profile and Adobe's colour transform say how to show the picture, and are known by how they begin. */
const shownBy: Readonly<Record<number, readonly string[]>> = {
  224: ['JFIF\0', 'JFXX\0'],
  226: ['ICC_PROFILE\0'],
  238: ['Adobe'],
}

/** Exif, XMP, IPTC, further pictures and comments hold places, times and names. */
function tellsOfPicture(bytes: Uint8Array, { marker, from, to }: Segment): boolean {
  if (marker === 0xfe) return true
  if (marker < 0xe0 || marker > 0xef) return false
  const begins = String.fromCharCode(...bytes.subarray(from + 4, Math.min(to, from + 4 + 12)))
  return !shownBy[marker]?.some((name) => begins.startsWith(name))
}

/** A JPEG that has nothing but the picture. */
export function isBarePhoto(bytes: Uint8Array): boolean {
  const segments = segmentsOf(bytes)
  return segments !== undefined && !segments.some((segment) => tellsOfPicture(bytes, segment))
}

/** A JPEG without what tells of it: some browsers write Exif with a picture that they draw. Undefined for no JPEG. */
export function barePhoto(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const dropped = segmentsOf(bytes)?.filter((segment) => tellsOfPicture(bytes, segment))
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
