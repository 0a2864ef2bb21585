import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { routeModules } from '#client/app/route-modules.ts'
import { browserFloor } from '#client/platform/browser-floor.ts'
import type { Offline } from './worker.types.ts'

/** Large parts that few devices need: the scanner's reader of barcodes, and the agents' table on wide screens. */
const rareModules = ['features/handovers/zxing-reader.ts', 'features/agent-orders/orders-table.tsx']

/** The script of documents that are read without the app. */
const ofDocuments = 'documents/main.ts'

const source = fileURLToPath(new URL('sw.ts', import.meta.url))

/** The first script of a document, stored ones too. The sources as they are, but for their comments: they import nothing. */
const firstScripts = {
  'before-app.js': ['before-app.js'],
  'before-app-order.js': ['before-app-order.js', 'before-app.js'],
}
/** In those files no line has both code and a comment. */
const withoutComments = (script: string) => script.replaceAll(/^\/\*[\s\S]*?\*\/\n|^ *\/\/.*\n/gm, '')

/**
 * Builds the service worker into `sw.js`, with the list of files it stores, and names the release in the document. Adds the
 * scripts that documents load before the app.
 */
export function offlineWorker(): Plugin {
  let release: string | undefined
  const releaseOf = (bundle: Rolldown.OutputBundle) => {
    release ??= hashOf(Object.keys(bundle).filter((name) => name.startsWith('assets/')))
    return release
  }
  return {
    name: 'offline-worker',
    // Not the bundle that prerenders the pages.
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => [
        { tag: 'meta', attrs: { name: 'release', content: releaseOf(bundle) }, injectTo: 'head' },
      ],
    },
    async buildStart() {
      for (const [name, sources] of Object.entries(firstScripts)) {
        const texts = sources.map((file) => readFile(new URL(`../${file}`, import.meta.url), 'utf8'))
        this.emitFile({
          type: 'asset',
          name,
          originalFileName: name,
          source: withoutComments((await Promise.all(texts)).join('')),
        })
      }
      this.emitFile({
        type: 'asset',
        name: 'document.js',
        originalFileName: ofDocuments,
        source: await builtScript(fileURLToPath(new URL(`../${ofDocuments}`, import.meta.url)), {}),
      })
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const { pagesWithKept: orderPages } = await routeModules()
        const offline: Offline = { release: releaseOf(bundle), orderPages, ...filesOf(bundle, rareModules) }
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: await builtScript(source, { __OFFLINE__: JSON.stringify(offline) }),
        })
      },
    },
  }
}

/** Names contain hashes of the contents, so the names identify the release. */
function hashOf(names: readonly string[]): string {
  return createHash('sha256').update(names.toSorted().join('\n')).digest('hex').slice(0, 16)
}

/** All files of the app, apart from the chunks of `rareModules` of client/ with their styles and assets. */
export function filesOf(
  bundle: Rolldown.OutputBundle,
  rareModules: readonly string[],
): Pick<Offline, 'files' | 'rareFiles'> {
  const rare = rareModules.flatMap((module) => {
    const chunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`/client/${module}`)),
    )
    if (chunk?.type !== 'chunk') throw new Error(`offline-worker: no chunk contains ${module}`)
    const { importedCss = [], importedAssets = [] } = chunk.viteMetadata ?? {}
    return [chunk.fileName, ...importedCss, ...importedAssets]
  })
  const all = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
  const pathsOf = (names: readonly string[]) => names.map((name) => `/${name}`).toSorted()
  return { files: pathsOf(all.filter((name) => !rare.includes(name))), rareFiles: pathsOf(rare) }
}

/** One classic script without imports: browsers do not agree on modules as service workers. */
async function builtScript(entry: string, define: Readonly<Record<string, string>>): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    define,
    build: {
      write: false,
      target: browserFloor,
      minify: true,
      lib: { entry, formats: ['iife'], name: 'amtiati', fileName: () => 'built.js' },
    },
  })
  const [first] = Array.isArray(result) ? result : [result]
  const script = first !== undefined && 'output' in first ? first.output[0] : undefined
  if (script === undefined) throw new Error(`offline-worker: ${entry} was not built`)
  return script.code
}
