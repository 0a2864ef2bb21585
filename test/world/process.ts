import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

// Imported before everything else: threads of the system would end their work at a real moment, so bodies are compressed
// at once, and as little as possible. For the whole process.

type Done = (error: Error | null, result: Buffer) => void

const fastest = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 0 } }

zlib.brotliCompress = ((body: Buffer, _: unknown, done: Done) =>
  done(null, zlib.brotliCompressSync(body, fastest))) as typeof zlib.brotliCompress
zlib.gzip = ((body: Buffer, _: unknown, done: Done) =>
  done(null, zlib.gzipSync(body, { level: 1 }))) as typeof zlib.gzip
syncBuiltinESMExports()
