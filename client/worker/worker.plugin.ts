import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { routeModules } from '#client/app/route-modules.ts'
import { browserFloor } from '#client/platform/browser-floor.ts'
import type { Offline } from './worker.types.ts'

/** What opens without a network beside the pages whose rows say so: the start of the app, and what is kept meanwhile. */
const userModules = ['main.tsx', 'app/offline-preparations.tsx']
const agentModules = [
  'app/agent-preparations.tsx',
  'app/counter-bar.tsx',
  'features/handovers/bag-handover.tsx',
  'features/handovers/shift-line.tsx',
]

/** The scanner's reader of barcodes, for devices that lack one. */
const readerModules = ['features/handovers/zxing-reader.ts']

/** The script of documents that are read without the app. */
const ofDocuments = 'documents/main.ts'

const source = fileURLToPath(new URL('sw.ts', import.meta.url))

/** The first script of every document, stored ones too. As it is, but for its comments: it imports nothing. */
const beforeApp = 'before-app.js'
/** Comments are lines of their own there. */
const withoutComments = (script: string) => script.replaceAll(/^\/\*[\s\S]*?\*\/\n|^ *\/\/.*\n/gm, '')

/**
 * Builds the service worker into `sw.js`, with the list of files it stores, and names the release in the document. Adds the
 * script that documents load before the app.
 */
export function offlineWorker(): Plugin {
  let release: string | undefined
  let beforeAppAsset = ''
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
      beforeAppAsset = this.emitFile({
        type: 'asset',
        name: beforeApp,
        originalFileName: beforeApp,
        source: withoutComments(await readFile(new URL(`../${beforeApp}`, import.meta.url), 'utf8')),
      })
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
        const table = await routeModules()
        const files = [
          ...filesOf(bundle, [...userModules, ...table.offline('user')]),
          ...Object.keys(bundle)
            .filter((file) => file.startsWith('assets/texts-'))
            .map((file) => `/${file}`),
          `/${this.getFileName(beforeAppAsset)}`,
        ]
        const agentFiles = filesOf(bundle, [...agentModules, ...table.offline('agent')]).filter(
          (file) => !files.includes(file),
        )
        const readerFiles = filesOf(bundle, readerModules).filter((file) => !files.includes(file))
        const orderPages = table.offlinePages('user')
        const offline: Offline = { release: releaseOf(bundle), orderPages, files, agentFiles, readerFiles }
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

/** The chunks of `modules` of client/ with all they import statically, their styles and fonts. */
export function filesOf(bundle: Rolldown.OutputBundle, modules: readonly string[]): string[] {
  const files = new Set<string>()
  const add = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk') return
    for (const imported of chunk.imports) add(imported)
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
    for (const asset of chunk.viteMetadata?.importedAssets ?? []) files.add(asset)
  }
  for (const module of modules) {
    const chunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`/client/${module}`)),
    )
    if (chunk === undefined) throw new Error(`offline-worker: no chunk contains ${module}`)
    add(chunk.fileName)
  }
  return [...files].map((name) => `/${name}`).toSorted()
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
