import type { Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { filesOf } from './worker.plugin.ts'

/** The parts of a bundle that the plugin reads. */
function bundleOf(
  chunks: Record<string, { modules?: string[]; imports?: string[]; css?: string[]; files?: string[] }>,
) {
  const entries = Object.entries(chunks).map(
    ([fileName, { modules = [], imports = [], css = [], files = [] }]) => [
      fileName,
      {
        type: 'chunk',
        fileName,
        moduleIds: modules,
        imports,
        viteMetadata: { importedCss: new Set(css), importedAssets: new Set(files) },
      },
    ],
  )
  return Object.fromEntries(entries) as unknown as Rolldown.OutputBundle
}

describe('the files for use without a network', () => {
  const bundle = bundleOf({
    'assets/index.js': {
      modules: ['/app/client/main.tsx'],
      imports: ['assets/i18n.js'],
      css: ['assets/index.css'],
    },
    'assets/i18n.js': { files: ['assets/cairo.woff2'], imports: ['assets/index.js'] },
    'assets/orders.js': { modules: ['/app/client/orders.page.tsx'], imports: ['assets/card.js'] },
    'assets/card.js': { css: ['assets/card.css'] },
    'assets/booking.js': { modules: ['/app/client/booking.page.tsx'] },
  })

  it('are the chunks of the modules, with what they import, styles and fonts', () => {
    expect(filesOf(bundle, ['main.tsx', 'orders.page.tsx'])).toEqual([
      '/assets/cairo.woff2',
      '/assets/card.css',
      '/assets/card.js',
      '/assets/i18n.js',
      '/assets/index.css',
      '/assets/index.js',
      '/assets/orders.js',
    ])
  })

  it('are not guessed: a module that was moved ends the build', () => {
    expect(() => filesOf(bundle, ['gone.page.tsx'])).toThrow('no chunk contains gone.page.tsx')
  })
})
