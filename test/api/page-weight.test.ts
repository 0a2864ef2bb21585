import { statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { expect, it } from 'vitest'
import { isInRepo, readRepoFile, repoRoot } from '#test/kit/repo-files.ts'
import { chunksOf } from '../../scripts/lib/html.mjs'

/** What a first visit to a page transfers, from the files of the build. */
interface Page {
  /** Name in dist/client/documents. */
  readonly document: string
  /** Beside the entry, as Vite's manifest names them. */
  readonly modules: readonly string[]
  /** Until the page can be read and its links work: the document and the fonts, in kB. */
  readonly readable?: number
  /** With every script, in kB. */
  readonly all: number
}

const pages: Readonly<Record<string, Page>> = {
  home: { document: 'home', modules: ['features/home/home.page.tsx'], readable: 60, all: 160 },
  'sign-in': {
    document: 'auth',
    modules: ['features/sessions/auth.page.tsx'],
    readable: 60,
    all: 200,
  },
  booking: {
    document: 'app',
    modules: ['app/user-routes.tsx', 'features/booking/booking.page.tsx'],
    all: 260,
  },
  'agent-orders': {
    document: 'app',
    modules: ['app/agent-orders-with-scan.tsx'],
    all: 200,
  },
}

interface Part {
  readonly name: string
  readonly bytes: number
}

const folder = 'dist/client'

/** As the gateway compresses documents, for each response. */
function documentPart(name: string): Part {
  const html = readRepoFile(`${folder}/documents/${name}.html`)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  return { name, bytes: brotliCompressSync(html, { params }).length }
}

/** The compressed copy when the build has one, as the gateway sends it. */
function filePart(file: string): Part {
  const path = `${folder}/${file}`
  const sent = isInRepo(`${path}.br`) ? `${path}.br` : path
  return { name: file, bytes: statSync(join(repoRoot, sent)).size }
}

function partsOf({ document, modules }: Page, language: string) {
  const html = readRepoFile(`${folder}/documents/${document}.${language}.html`)
  const manifest = JSON.parse(readRepoFile(`${folder}/.vite/manifest.json`)) as Parameters<typeof chunksOf>[1]
  const chunks = chunksOf(['index.html', ...modules], manifest)
  const fonts = Object.values(manifest)
    .map(({ file }) => file)
    // Both scripts are on every page: digits and spaces are Latin, and each page names the other language.
    .filter((file) => /cairo-\w+-cut-[^/]+\.woff2$/.test(file))
  const styles = [...new Set(chunks.flatMap(({ css = [] }) => css))]
  return {
    document: [documentPart(`${document}.${language}`)],
    fonts: fonts.map(filePart),
    // A prerendered document holds its styles, and a disabled link for each, which the loader of chunks respects.
    styles: styles.filter((file) => !html.includes(`href="/${file}" disabled`)).map(filePart),
    scripts: chunks.map(({ file }) => filePart(file)),
  }
}

const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { bytes }) => sum + bytes, 0)
const inKilobytes = (bytes: number) => Math.round(bytes / 100) / 10
const listOf = (parts: readonly Part[]) =>
  parts.map(({ name, bytes }) => `${name} ${inKilobytes(bytes)}`).join(', ')

it('the reader of barcodes is loaded by the scanner alone', () => {
  const manifest = JSON.parse(readRepoFile(`${folder}/.vite/manifest.json`)) as Parameters<typeof chunksOf>[1]
  const reader = /zxing/
  expect(Object.keys(manifest).some((key) => reader.test(key))).toBe(true)
  const scanner = chunksOf(['index.html', 'features/handovers/agent-scan.page.tsx'], manifest)
  // Not even with its page: only devices without a reader of their own load it.
  for (const { file } of scanner) expect(file).not.toMatch(reader)
  // The agents’ list confirms hand-overs too, and keeps them in the same outbox.
  for (const [name, { modules }] of Object.entries(pages))
    for (const { file } of chunksOf(['index.html', ...modules], manifest))
      expect(file).not.toMatch(name === 'agent-orders' ? /zxing|agent-scan/ : /zxing|agent-scan|outbox/)
})

it.each(
  Object.entries(pages).flatMap(([name, page]) => ['ar', 'en'].map((language) => ({ name, page, language }))),
)('$name in $language stays within its bytes', ({ page, language }) => {
  if (!isInRepo(`${folder}/index.html`)) throw new Error('the client is not built: npm run build')
  const { document, fonts, styles, scripts } = partsOf(page, language)
  expect(fonts).toHaveLength(2)
  const readable = [...document, ...fonts]
  const all = [...readable, ...styles, ...scripts]
  if (page.readable !== undefined)
    expect(inKilobytes(sumOf(readable)), listOf(readable)).toBeLessThanOrEqual(page.readable)
  expect(inKilobytes(sumOf(all)), listOf(all)).toBeLessThanOrEqual(page.all)
})
