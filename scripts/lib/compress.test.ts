import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { compressFolder } from './compress.mjs'

it('writes compressed copies of long text files only', () => {
  const folder = freshFolder()
  mkdirSync(join(folder, 'assets'))
  const text = 'const luggage = 1\n'.repeat(200)
  for (const name of ['assets/main.js', 'assets/font.woff2']) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'assets', 'short.js'), 'export {}')
  compressFolder(folder)
  expect(readdirSync(join(folder, 'assets')).sort()).toEqual([
    ...['font.woff2', 'main.js', 'main.js.br', 'main.js.gz', 'short.js'],
  ])
  expect(brotliDecompressSync(readFileSync(join(folder, 'assets/main.js.br'))).toString()).toBe(text)
  expect(gunzipSync(readFileSync(join(folder, 'assets/main.js.gz'))).toString()).toBe(text)
})
