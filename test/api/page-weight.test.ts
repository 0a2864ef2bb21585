import { statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressed } from '#server/platform/plugins/compression.ts'
import { type DocumentRole, documentFile } from '#shared/platform/document-role.ts'
import type { PageName } from '#shared/platform/pages.ts'
import { isInRepo, readRepoFile, repoRoot } from '#test/kit/repo/repo-files.ts'

/** What a first visit to a page transfers, from the files of the build. */
interface Page {
  /** In dist/client/documents, without the language. */
  readonly document: PageName
  readonly role: DocumentRole
  /** Until the page can be read and its links work: the document and the fonts, in kB. */
  readonly readable?: number
  /** With every script that it loads by itself, in kB. */
  readonly all: number
}

const pages: Readonly<Record<string, Page>> = {
  home: { document: 'home', role: 'visitor', readable: 43, all: 45.2 },
  'privacy policy': { document: 'privacyPolicy', role: 'visitor', readable: 43, all: 45.7 },
  'sign-in': { document: 'auth', role: 'visitor', readable: 41, all: 182.5 },
  booking: { document: 'booking', role: 'user', all: 213.5 },
  order: { document: 'order', role: 'user', all: 229.5 },
  'thank-you': { document: 'thankYou', role: 'user', all: 225 },
  'agent-orders': { document: 'agentOrders', role: 'agent', all: 221.7 },
  'agent-scan': { document: 'agentScan', role: 'agent', all: 218.3 },
}

interface Part {
  readonly name: string
  readonly bytes: number
}

const folder = 'dist/client'

/** As the gateway compresses documents, for each response. */
function documentPart(name: string): Part {
  const html = readRepoFile(`${folder}/documents/${name}`)
  return { name, bytes: brotliCompressSync(html, compressed.brotliOptions).length }
}

/** The compressed copy when the build has one, as the gateway sends it. */
function filePart(file: string): Part {
  const path = `${folder}/${file}`
  const sent = isInRepo(`${path}.br`) ? `${path}.br` : path
  return { name: file, bytes: statSync(join(repoRoot, sent)).size }
}

const manifest = () =>
  JSON.parse(readRepoFile(`${folder}/.vite/manifest.json`)) as Readonly<
    Record<string, { readonly file: string; readonly imports?: readonly string[] }>
  >

const deskManifest = () =>
  JSON.parse(readRepoFile(`${folder}/.vite/desk.json`)) as Readonly<Record<string, DeskChunk>>

const textOf = (name: string) => readRepoFile(`${folder}/documents/${name}`)

/** Each document names the scripts of its page (journeys/first-visit.test.ts). */
const scriptsOf = (html: string) => [
  ...new Set(
    // A template holds what a page loads only when it is needed.
    [
      ...html
        .replace(/<template data-app>.*?<\/template>/s, '')
        .matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g),
    ].map(([, file = '']) => file),
  ),
]

function partsOf({ document, role }: Page, language: string) {
  const name = documentFile(document, language, role)
  const html = textOf(name)
  const fonts = Object.values(manifest())
    .map(({ file }) => file)
    // Both scripts are on every page: digits and spaces are Latin, and each page names the other language.
    .filter((file) => /cairo-\w+-cut-[^/]+\.woff2$/.test(file))
  return {
    document: [documentPart(name)],
    fonts: fonts.map(filePart),
    // A document holds its styles, and a disabled link for each, which the loader of chunks respects.
    styles: [...html.matchAll(/<link rel="stylesheet" href="\/([^"]+)">/g)].map(([, file]) => file),
    scripts: scriptsOf(html).map(filePart),
  }
}

const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { bytes }) => sum + bytes, 0)
const inKilobytes = (bytes: number) => Math.round(bytes / 100) / 10
const listOf = (parts: readonly Part[]) =>
  parts.map(({ name, bytes }) => `${name} ${inKilobytes(bytes)}`).join(', ')

it('the reader of barcodes is loaded by the scanner alone', () => {
  const reader = /zxing/
  expect(Object.keys(manifest()).some((key) => reader.test(key))).toBe(true)
  const scanner = scriptsOf(textOf(documentFile('agentScan', 'en', 'agent')))
  expect(scanner.some((file) => file.includes('agent-scan'))).toBe(true)
  // Not even with its page: only devices without a reader of their own load it.
  for (const file of scanner) expect(file).not.toMatch(reader)
  // The agents’ list confirms hand-overs too, and keeps them in the same outbox.
  for (const { document, role } of Object.values(pages).filter((page) => page !== pages['agent-scan']))
    for (const file of scriptsOf(textOf(documentFile(document, 'en', role))))
      expect(file).not.toMatch(document === 'agentOrders' ? /zxing|agent-scan/ : /zxing|agent-scan|outbox/)
})

/** Of the desk's build (client/desk): chunks, and what each imports. */
interface DeskChunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
}

it('antd is in the agents’ table alone, which no document names, and nothing of the app is in a file of the desk', () => {
  const desk = deskManifest()
  const ofDesk = new Set(Object.values(desk).map(({ file }) => file))
  const shared = Object.values(manifest()).filter(({ file }) => ofDesk.has(file) && file.endsWith('.js'))
  // What the bundler writes into every build.
  expect(shared.map(({ file }) => file).filter((file) => !file.includes('rolldown-runtime'))).toEqual([])
  const scripts = Object.values(manifest()).filter(({ file }) => file.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(20)
  const withAntd = (files: readonly { file: string }[]) =>
    files.filter(({ file }) => /\bant-(?:btn|menu|modal)\b|anticon/.test(readRepoFile(`${folder}/${file}`)))
  const { file: table } = manifest()['features/agent-orders/orders-table.tsx'] ?? {}
  expect(withAntd(scripts).map(({ file }) => file)).toEqual([table])
  // Neither a phone nor any other page loads it: only the counter does, on a wide screen.
  for (const { document, role } of Object.values(pages))
    expect(scriptsOf(textOf(documentFile(document, 'en', role)))).not.toContain(table)
  const importers = Object.entries(manifest()).filter(([, { imports = [] }]) =>
    imports.includes('features/agent-orders/orders-table.tsx'),
  )
  expect(importers).toEqual([])
  expect(withAntd(Object.values(desk).filter(({ file }) => file.endsWith('.js')))).not.toEqual([])
})

it.each(['ar', 'en'])(
  'the sign-in page of the desk in %s has 160 kB without antd, and each page of a session 410, in few files',
  (language) => {
    const desk = deskManifest()
    /** With all that they load at once. */
    const partsOf = (...keys: readonly string[]): readonly Part[] => {
      const found = new Set<DeskChunk>()
      const add = (key: string) => {
        const chunk = desk[key]
        if (chunk === undefined || found.has(chunk)) return
        found.add(chunk)
        for (const next of chunk.imports ?? []) add(next)
      }
      for (const key of keys) add(key)
      const files = new Set([...found].flatMap(({ file, css = [] }) => [file, ...css]))
      return [...files].map(filePart)
    }
    const fonts = Object.values(desk)
      .flatMap(({ assets = [] }) => assets)
      .filter((file) => /cairo-\w+-cut-[^/]+\.woff2$/.test(file))
    expect(new Set(fonts).size).toBe(2)
    const html = readRepoFile(`${folder}/desk/index.html`)
    const always = [
      { name: 'desk/index.html', bytes: brotliCompressSync(html).length },
      ...[...new Set(fonts)].map(filePart),
    ]
    const texts = Object.keys(desk).filter((key) => key.startsWith(`_texts-${language}-`))
    const start = ['desk/index.html', ...texts]
    const signIn = [...always, ...partsOf(...start)]
    expect(signIn.some(({ name }) => name.includes('antd'))).toBe(false)
    expect(inKilobytes(sumOf(signIn)), listOf(signIn)).toBeLessThanOrEqual(160)
    expect(signIn.length, listOf(signIn)).toBeLessThanOrEqual(10)
    const pagesOfDesk = Object.keys(desk).filter((key) => key.endsWith('.page.tsx'))
    expect(pagesOfDesk.length).toBeGreaterThan(0)
    for (const page of pagesOfDesk) {
      const parts = [...always, ...partsOf(...start, 'desk/signed-in.tsx', page)]
      expect(inKilobytes(sumOf(parts)), `${page} ${listOf(parts)}`).toBeLessThanOrEqual(410)
      expect(parts.length, `${page} ${listOf(parts)}`).toBeLessThanOrEqual(18)
    }
  },
)

it.each(
  Object.entries(pages).flatMap(([name, page]) => ['ar', 'en'].map((language) => ({ name, page, language }))),
)('$name in $language stays within its bytes', ({ page, language }) => {
  if (!isInRepo(`${folder}/index.html`)) throw new Error('the client is not built: npm run build')
  const { document, fonts, styles, scripts } = partsOf(page, language)
  expect(fonts).toHaveLength(2)
  expect(styles).toEqual([])
  expect(scripts.length).toBeGreaterThan(1)
  // HTTP/1.1 without a proxy loads six at a time.
  expect(scripts.length).toBeLessThanOrEqual(21)
  const readable = [...document, ...fonts]
  const all = [...readable, ...scripts]
  if (page.readable !== undefined)
    expect(inKilobytes(sumOf(readable)), listOf(readable)).toBeLessThanOrEqual(page.readable)
  expect(inKilobytes(sumOf(all)), listOf(all)).toBeLessThanOrEqual(page.all)
})
