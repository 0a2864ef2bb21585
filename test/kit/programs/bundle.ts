import { createHash } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { repoRoot } from '../repo/repo-files.ts'

/** A file of the app's bundle. */
export interface BundledFile {
  readonly name: string
  readonly hash: string
  /** In bytes, compressed by Brotli. */
  readonly size: number
}

/**
 * `node test/kit/programs/bundle.ts [<end of a path> <text> <other text>]` bundles the app in memory as the build does, after one
 * change of a source file, and prints every `BundledFile` but the documents as JSON. NODE_ENV must be `production`.
 */
const [file, from = '', to = ''] = process.argv.slice(2)
let isChanged = file === undefined

const result = await build({
  configFile: `${repoRoot}vite.config.ts`,
  logLevel: 'error',
  build: { write: false },
  plugins: [
    {
      name: 'one-change',
      enforce: 'pre',
      transform(code, id) {
        if (file === undefined || !id.endsWith(file) || !code.includes(from)) return undefined
        isChanged = true
        return code.replace(from, to)
      },
    },
  ],
})
if (!isChanged) throw new Error(`no source file ${file} contains ${from}`)

const files: BundledFile[] = (result as Rolldown.RolldownOutput).output
  // The documents hold the import map.
  .filter(({ fileName }) => !/\.html$|^\.vite\/|^importmap\.json$/.test(fileName))
  .map((output) => {
    const content = output.type === 'chunk' ? output.code : output.source
    return {
      name: output.fileName,
      hash: createHash('sha256').update(content).digest('base64'),
      size: brotliCompressSync(content).length,
    }
  })
process.stdout.write(JSON.stringify(files))
