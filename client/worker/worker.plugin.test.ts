import type { Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { filesOf } from './worker.plugin.ts'

const chunk = (
  fileName: string,
  module: string,
  styles: readonly string[] = [],
  assets: readonly string[] = [],
) => ({
  type: 'chunk',
  fileName,
  moduleIds: [`/app/client/${module}`],
  viteMetadata: { importedCss: new Set(styles), importedAssets: new Set(assets) },
})

describe('the files for use without a network', () => {
  const bundle = {
    'assets/index.js': chunk('assets/index.js', 'main.tsx', ['assets/index.css']),
    'assets/index.css': { type: 'asset', fileName: 'assets/index.css' },
    'assets/cairo.woff2': { type: 'asset', fileName: 'assets/cairo.woff2' },
    'assets/reader.js': chunk('assets/reader.js', 'reader.ts', [], ['assets/reader.wasm']),
    'assets/reader.wasm': { type: 'asset', fileName: 'assets/reader.wasm' },
    'index.html': { type: 'asset', fileName: 'index.html' },
  } as unknown as Rolldown.OutputBundle

  it('are all of the app, but not what few devices need', () => {
    expect(filesOf(bundle, ['reader.ts'])).toEqual({
      files: ['/assets/cairo.woff2', '/assets/index.css', '/assets/index.js'],
      rareFiles: ['/assets/reader.js', '/assets/reader.wasm'],
    })
  })

  it('are not guessed: a module that was moved ends the build', () => {
    expect(() => filesOf(bundle, ['gone.ts'])).toThrow('no chunk contains gone.ts')
  })
})
