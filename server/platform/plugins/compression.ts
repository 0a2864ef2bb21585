import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Shorter responses fit into one packet uncompressed. */
const thresholdBytes = 1024

/**
 * Compresses responses of routes with `compress: {}`, as the client accepts. Request bodies are never decompressed:
 * a small one could exceed every body limit when decompressed.
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    global: false,
    globalDecompression: false,
    threshold: thresholdBytes,
    encodings: ['br', 'gzip'],
  })
}
