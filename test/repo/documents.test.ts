import { describe, expect, it } from 'vitest'
import { operations } from '#shared/operations.ts'
import { brand } from '#shared/platform/brand.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { isInRepo, readRepoFile, repoFiles } from '#test/kit/repo-files.ts'
import { deriveDocuments } from '../../scripts/lib/documents.ts'

describe('derived documents', () => {
  it('are up to date with the code', async () => {
    const documents = await deriveDocuments()
    expect([...documents.keys()]).toEqual([
      '.env.example',
      'docs/configuration.md',
      'docs/errors.md',
      'docs/openapi.d.ts',
      'docs/openapi.json',
    ])
    for (const [path, text] of documents) expect(readRepoFile(path), path).toBe(text)
  })

  it('describe every operation', () => {
    const { paths }: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
      readRepoFile('docs/openapi.json'),
    )
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const promised = Object.values<OperationShape>(operations).map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(described.sort()).toEqual(promised.sort())
  })
})

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']
const scripts: Record<string, string> = JSON.parse(readRepoFile('package.json')).scripts
const ignored = readRepoFile('.gitignore')
  .split('\n')
  .filter((line) => line.endsWith('/'))
const topLevel = new Set(repoFiles('', /./).map((path) => path.split('/')[0] ?? ''))
const allFiles = repoFiles('', /./)
const apiPaths = Object.values<OperationShape>(operations).map(({ path }) => path)
const otherPaths = ['/api/docs', '/api/openapi.json', '/api/*', '/api']

const codeSpans = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? '')

/** Relative links, without the part after `#`. */
const linksOf = (text: string) =>
  [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map(([, target]) => target ?? '')

/** `npm start`, `npm test`, `npm run <name>` anywhere, also in code blocks. */
const npmScriptsOf = (text: string) =>
  [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? '')

/** Code spans that are a path of this repository: they begin with a name at its root. */
const pathsOf = (text: string) =>
  codeSpans(text).filter((span) => {
    if (!/^[\w@.*<>#/-]+$/.test(span) || span.startsWith('/')) return false
    const [first = ''] = span.replace(/^\.\//, '').split('/')
    return span.includes('/')
      ? topLevel.has(first) || ignored.includes(`${first}/`)
      : /\.(md|ts|tsx|mjs|cjs|json|yml)$/.test(span)
  })

function exists(path: string): boolean {
  const plain = path.replace(/^\.\//, '').replace(/\/$/, '')
  if (ignored.some((folder) => `${plain}/`.startsWith(folder))) return true
  if (isInRepo(plain)) return true
  // `<feature>` and `*` match any one name, a file name without a folder matches in every folder.
  const pattern = plain
    .split(/(<\w+>|\*)/)
    .map((part) => (/^(<\w+>|\*)$/.test(part) ? '[^/]+' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&')))
    .join('')
  return allFiles.some((file) =>
    new RegExp(`^${plain.includes('/') ? '' : '(.*/)?'}${pattern}(/|$)`).test(file),
  )
}

describe.each(pages)('%s', (page) => {
  const text = isInRepo(page) ? readRepoFile(page) : ''

  it('exists and is not empty', () => {
    expect(text.length).toBeGreaterThan(500)
  })

  it('names only paths that exist', () => {
    expect(pathsOf(text).filter((path) => !exists(path))).toEqual([])
    expect(pathsOf(text).length).toBeGreaterThan(0)
  })

  it('links only to what exists', () => {
    expect(linksOf(text).filter((target) => !exists(target))).toEqual([])
  })

  it('names only npm scripts that exist', () => {
    expect(npmScriptsOf(text).filter((name) => scripts[name] === undefined)).toEqual([])
    if (page !== 'ARCHITECTURE.md') expect(npmScriptsOf(text).length).toBeGreaterThan(0)
  })

  it('names only API paths that exist', () => {
    const named = codeSpans(text)
      .map((span) => /^(?:GET |POST |PUT |DELETE )?(\/api[^\s?]*)/.exec(span)?.[1])
      .filter((path) => path !== undefined)
    const unknown = named.filter(
      (path) => !otherPaths.includes(path) && !apiPaths.includes(path.replace(/\{(\w+)\}/g, ':$1')),
    )
    expect(unknown).toEqual([])
  })
})

it('SECURITY.md names the contact that the gateway names', () => {
  expect(readRepoFile('SECURITY.md')).toContain(brand.contact.email)
})
