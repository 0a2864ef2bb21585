import { describe, expect, it } from 'vitest'
import { barePhoto, isBarePhoto } from './jpeg.rules.ts'

const segment = (marker: number, text: string) => {
  const body = Buffer.from(text, 'latin1')
  return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff]), body])
}
const start = Buffer.from([0xff, 0xd8])
const frame = (width = 640, height = 480, marker = 0xc0) =>
  Buffer.from([0xff, marker, 0, 11, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0])
const picture = Buffer.concat([
  frame(),
  segment(0xdb, 'table'),
  segment(0xda, 'scan'),
  Buffer.from('\u0001\u0002'),
  Buffer.from([0xff, 0xd9]),
])
const photo = (...segments: Buffer[]) => new Uint8Array(Buffer.concat([start, ...segments, picture]))

const jfif = segment(0xe0, 'JFIF\0\u0001\u0001\0\0\u0001\0\u0001\0\0')
const profileHeader = `${'\0'.repeat(36)}acsp${'\0'.repeat(8)}`
const profile = segment(0xe2, `ICC_PROFILE\0\u0001\u0002${profileHeader}`)
const restOfProfile = segment(0xe2, 'ICC_PROFILE\0\u0002\u0002colours')
const adobe = segment(0xee, 'Adobe\0\u0064\0\0\0\0\u0001')
const exif = segment(0xe1, 'Exif\0\0GPS')

describe('a photograph', () => {
  it('is a JPEG with its colours, and without metadata', () => {
    expect(isBarePhoto(photo())).toBe(true)
    expect(isBarePhoto(photo(jfif, profile, restOfProfile, adobe))).toBe(true)
  })

  it.each([
    ['Exif', exif],
    ['XMP', segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x/>')],
    ['IPTC', segment(0xed, 'Photoshop 3.0\0')],
    ['a comment', segment(0xfe, '<script>')],
    ['index of further pictures', segment(0xe2, 'MPF\0')],
    ['Exif under another name', segment(0xe0, 'Exif\0\0GPS')],
    ['Exif where a colour transform is expected', segment(0xee, 'Exif\0\0GPS')],
    ['second picture in an extension of JFIF', segment(0xe0, 'JFXX\0\u0010GPS 21.4133N')],
    ['thumbnail in JFIF', segment(0xe0, 'JFIF\0\u0001\u0001\0\0\u0001\0\u0001\u0001\u0001rgb')],
    ['text behind JFIF', segment(0xe0, 'JFIF\0<script>alert(1)</script>')],
    [
      'text in place of a colour profile',
      segment(0xe2, 'ICC_PROFILE\0\u0001\u0001<script>alert(1)</script>'),
    ],
    ['part of a profile out of its order', segment(0xe2, 'ICC_PROFILE\0\u0003\u0002colours')],
    ['text behind a colour transform', segment(0xee, 'Adobe\0\u0064\0\0\0\0\u0001<script>')],
  ])('has no %s', (_, told) => {
    expect(isBarePhoto(photo(jfif, told))).toBe(false)
    expect(barePhoto(photo(jfif, told))).toEqual(photo(jfif))
  })

  it('has several scans, with restarts and stuffed bytes, and nothing between them that tells of it', () => {
    const scan = Buffer.concat([
      segment(0xda, 'scan'),
      Buffer.from([1, 0xff, 0x00, 2, 0xff, 0xd0, 3, 0xff, 0xd7]),
    ])
    const table = segment(0xc4, 'table')
    const end = Buffer.from([0xff, 0xd9])
    const progressive = (...between: Buffer[]) =>
      new Uint8Array(Buffer.concat([start, jfif, frame(640, 480, 0xc2), scan, ...between, table, scan, end]))
    expect(isBarePhoto(progressive())).toBe(true)
    expect(isBarePhoto(progressive(exif))).toBe(false)
    expect(barePhoto(progressive(exif))).toEqual(progressive())
  })

  it('has at most 4,096 pixels a side, in one frame', () => {
    const shown = (...frames: Buffer[]) =>
      isBarePhoto(new Uint8Array(Buffer.concat([start, jfif, ...frames, picture.subarray(frame().length)])))
    expect(shown(frame(4_096, 4_096))).toBe(true)
    expect(shown(frame(1, 1, 0xc2))).toBe(true)
    expect(shown(frame(4_097, 1))).toBe(false)
    expect(shown(frame(1, 4_097))).toBe(false)
    expect(shown(frame(23_000, 23_000))).toBe(false)
    // A height of 0 is given later, by a separate segment.
    expect(shown(frame(640, 0))).toBe(false)
    expect(shown(frame(640, 480), frame(640, 480))).toBe(false)
    expect(shown(frame(640, 480), frame(65_500, 65_500, 0xc1))).toBe(false)
    expect(shown()).toBe(false)
    expect(shown(segment(0xc0, 'short'))).toBe(false)
  })

  it('has fewer pixels a side where less is wanted', () => {
    expect(isBarePhoto(photo(jfif), 640)).toBe(true)
    expect(isBarePhoto(photo(jfif), 639)).toBe(false)
  })

  it('loses everything that tells of it, and keeps every byte of the picture', () => {
    expect(barePhoto(photo(exif, jfif, exif, profile, segment(0xfe, 'x')))).toEqual(photo(jfif, profile))
    expect(barePhoto(photo(jfif))).toEqual(photo(jfif))
  })

  it.each([
    ['no bytes', new Uint8Array()],
    ['text', new Uint8Array(Buffer.from('<script>alert(1)</script>'))],
    ['a PNG', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xd9])],
    ['a beginning alone', new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
    ['no picture', new Uint8Array(Buffer.concat([start, jfif, Buffer.from([0xff, 0xd9])]))],
    ['a script behind the picture', new Uint8Array([...photo(jfif), ...Buffer.from('<script>')])],
    ['a picture behind the picture', new Uint8Array([...photo(jfif), ...photo(exif)])],
    [
      'a script after the first bytes',
      new Uint8Array([0xff, 0xd8, ...Buffer.from('<script></script>'), 0xff, 0xd9]),
    ],
    [
      'a length that leads out of the file',
      new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0xff, 0xd9]),
    ],
    ['a length of nothing', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xda, 0, 2, 0xff, 0xd9])],
  ])('is not %s', (_, bytes) => {
    expect(isBarePhoto(bytes)).toBe(false)
    expect(barePhoto(bytes)).toBeUndefined()
  })
})
