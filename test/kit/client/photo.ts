/** Start of frame: one grey component of 8 by 8 pixels. */
const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0])

/** A JPEG of so many bytes that shows nothing. @param segments of its head */
export function photoOf(bytes = 40, ...segments: Uint8Array[]): Buffer {
  const head = Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, Buffer.from([0xff, 0xda, 0, 2])])
  return Buffer.concat([head, Buffer.alloc(bytes - head.length - 2), Buffer.from([0xff, 0xd9])])
}

/** A picture whose bytes name its bag. */
export function photoOfBag(awb: string): Buffer {
  const jpeg = photoOf(100)
  jpeg.write(awb, 60, 'latin1')
  return jpeg
}
