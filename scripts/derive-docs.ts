import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { deriveDocuments, openApiDocument } from './lib/documents.ts'

/**
 * Writes the derived documents. With `--check` it writes nothing and fails, naming those that are out of date.
 * With `--openapi <file>` it writes only the OpenAPI document, which is not committed.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, openapi: { type: 'string' } },
})

if (options.openapi !== undefined) {
  write(options.openapi, await openApiDocument())
} else {
  const stale = [...deriveDocuments()].filter(([path, text]) => currentText(path) !== text)
  for (const [path, text] of stale) {
    if (options.check) console.error(`${path} is not what the code says: run \`npm run derive\``)
    else write(path, text)
  }
  if (options.check && stale.length > 0) process.exitCode = 1
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(`wrote ${path}`)
}

function currentText(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}
