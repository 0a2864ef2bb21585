import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { routeModules } from '../../client/app/route-modules.ts'
import { brand } from '../../shared/platform/brand.ts'
import { documentFile } from '../../shared/platform/document-role.ts'
import { languages } from '../../shared/platform/language.ts'
import { compressFolder } from './compress.mjs'
import { documentOf } from './html.mjs'
import { manifestOf, writeIcons } from './icons.mjs'
import { writePreviews } from './previews.mjs'
import { root } from './repo.mjs'

/*
 * `node scripts/lib/client.mjs <folder>` builds the client into a folder: the files of the app and of the desk,
 * and `documents/` with one document for each page, language and role. NODE_ENV
 * must be `production`.
 */

const target = resolve(process.argv[2])
const forNode = `${target}-node`

const startedAt = performance.now()
const say = (step) => console.log(`  ${step} (${Math.round((performance.now() - startedAt) / 1000)} s)`)

try {
  say('bundling')
  const configFile = join(root, 'vite.config.ts')
  await build({ configFile, logLevel: 'warn', build: { outDir: target } })
  say('bundling the desk')
  await build({ configFile, mode: 'desk', logLevel: 'warn', build: { outDir: target } })
  say('bundling what renders pages')
  await build({
    configFile,
    logLevel: 'error',
    build: {
      outDir: forNode,
      ssr: join(root, 'client/prerender.tsx'),
      manifest: false,
      copyPublicDir: false,
    },
    ssr: { noExternal: true },
  })
  say('rendering pages')
  const { renderDocuments, renderPreviews } = await import(pathToFileURL(join(forNode, 'prerender.js')).href)
  await writeDocuments(await renderDocuments())
  say('drawing icons and link previews')
  await writeIcons(target)
  await writePreviews(target, await renderPreviews())
  for (const language of Object.values(languages))
    writeFileSync(
      join(target, `manifest.${language.code}.webmanifest`),
      JSON.stringify(manifestOf(language, brand)),
    )
  say('compressing')
  compressFolder(target)
} finally {
  rmSync(forNode, { recursive: true, force: true })
}

async function writeDocuments(documents) {
  const manifest = JSON.parse(readFileSync(join(target, '.vite/manifest.json'), 'utf8'))
  const template = readFileSync(join(target, 'index.html'), 'utf8')
  const read = (file) => readFileSync(join(target, file), 'utf8')
  const assets = { manifest, read }
  const loads = await routeModules()
  mkdirSync(join(target, 'documents'))
  for (const document of documents) {
    const name = documentFile(document.page ?? 'app', document.language, document.role)
    writeFileSync(
      join(target, 'documents', name),
      documentOf({ ...document, ...loads.of(document.page) }, template, assets),
    )
  }
}
