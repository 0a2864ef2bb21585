import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/**
 * Serves files of a folder from memory, each below its own name.
 * @param folder address of the folder, ending in a slash.
 */
export function serveAssets(
  app: FastifyInstance,
  options: {
    folder: URL
    files: readonly string[]
    headers?: Readonly<Record<string, string>>
    /** The file served as `/` instead of below its name. */
    index?: string
  },
): void {
  for (const file of options.files) {
    const content = readFileSync(new URL(file, options.folder))
    const type = contentTypes[file.slice(file.lastIndexOf('.') + 1)]
    if (type === undefined) throw new Error(`no content type for ${file}`)
    const path = file === options.index ? '/' : `/${file.replace(/\.html$/, '')}`
    app.get(path, async (_request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...options.headers })
        .type(type)
        .send(content),
    )
  }
}
