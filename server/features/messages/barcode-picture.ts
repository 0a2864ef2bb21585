import { crc32, deflateSync } from 'node:zlib'
import { CODE128 } from 'jsbarcode/bin/barcodes/CODE128/index.js'

/** ISO/IEC 15417 requires at least ten white modules on both sides. */
const quietZone = 10
/** A letter shows the picture at half of its width, so that the bars are sharp on a phone. */
const pixelsPerModule = 6
const heightInPixels = 224

export interface BarcodePicture {
  readonly png: Buffer
  readonly modules: number
}

export function drawBarcode(awb: string): BarcodePicture {
  const margin = '0'.repeat(quietZone)
  const modules = `${margin}${new CODE128(awb, {}).encode().data}${margin}`
  const pixels = [...modules].map((module) => (module === '1' ? '0' : '1').repeat(pixelsPerModule)).join('')
  const bytes = pixels.match(/.{1,8}/g) ?? []
  const row = Buffer.from([0, ...bytes.map((bits) => Number.parseInt(bits.padEnd(8, '0'), 2))])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(pixels.length, 0)
  head.writeUInt32BE(heightInPixels, 4)
  head[8] = 1
  const rows = Buffer.concat(Array.from({ length: heightInPixels }, () => row))
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { png, modules: modules.length }
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
