/**
 * The frame of a JPEG file (ISO/IEC 10918-1, B.1.1): it begins with FF D8, each segment of its head is FF, a marker and a
 * length of two bytes, the picture begins with FF DA, and FF D9 ends it. Nothing is decoded.
 */
interface Segment {
  readonly marker: number
  readonly from: number
  readonly to: number
}

const startOfPicture = 0xda

/** The segments before the picture; undefined for anything that is no JPEG. */
function headOf(bytes: Uint8Array): readonly Segment[] | undefined {
  const end = bytes.length - 2
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[end] !== 0xff || bytes[end + 1] !== 0xd9)
    return undefined
  const segments: Segment[] = []
  for (let from = 2; from + 4 <= end; ) {
    const marker = bytes[from + 1] ?? 0
    if (bytes[from] !== 0xff || marker < 0xc0 || marker === 0xff) return undefined
    if (marker === startOfPicture) return segments
    const length = ((bytes[from + 2] ?? 0) << 8) | (bytes[from + 3] ?? 0)
    if (length < 2) return undefined
    segments.push({ marker, from, to: from + 2 + length })
    from += 2 + length
  }
  return undefined
}

/** JFIF, a colour profile and Adobe's colour transform say how to show the picture; the other segments tell of it. */
const shownBy = [0xe0, 0xe2, 0xee]

/** Exif, XMP, IPTC and comments hold places, times and names. */
const tellsOfPicture = ({ marker }: Segment) =>
  marker >= 0xe0 && !shownBy.includes(marker) && (marker <= 0xef || marker === 0xfe)

/** A JPEG that has nothing but the picture. */
export function isBarePhoto(bytes: Uint8Array): boolean {
  const head = headOf(bytes)
  return head !== undefined && !head.some(tellsOfPicture)
}

/** A JPEG without what tells of it: some browsers write Exif with a picture that they draw. Undefined for no JPEG. */
export function barePhoto(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const dropped = headOf(bytes)?.filter(tellsOfPicture)
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
