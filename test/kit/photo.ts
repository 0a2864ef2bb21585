/** A JPEG of so many bytes that shows nothing. @param segments of its head */
export function photoOf(bytes = 40, ...segments: Uint8Array[]): Buffer {
  const head = Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xda, 0, 2])])
  return Buffer.concat([head, Buffer.alloc(bytes - head.length - 2), Buffer.from([0xff, 0xd9])])
}
