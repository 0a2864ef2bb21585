import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deriveDocuments } from './lib/documents.ts'

/** Writes the derived documents. With `--check` it writes nothing and fails, naming those that are out of date. */
const root = fileURLToPath(new URL('../', import.meta.url))
const isCheck = process.argv.includes('--check')

const stale = [...(await deriveDocuments())].filter(([path, text]) => currentText(path) !== text)
for (const [path, text] of stale) {
  if (isCheck) {
    console.error(`${path} is not what the code says: run \`npm run derive\``)
    continue
  }
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(`wrote ${path}`)
}
if (isCheck && stale.length > 0) process.exitCode = 1

function currentText(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}
