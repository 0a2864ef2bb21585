import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { pageFiles } from '#client/app/page-files.ts'
import { routes } from '#client/app/routes.ts'
import { textGroupOf } from '#client/platform/text-groups.ts'
import { errors } from '#shared/errors.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import type { PageName } from '#shared/platform/pages.ts'
import { readRepoFile, repoFiles, testFile } from '#test/kit/repo/repo-files.ts'
import { parseSource } from '#test/kit/repo/source-tree.ts'

/** A catalogue is `<namespace>.<language>.json`; its keys are joined with dots as the code writes them. */
const codes = Object.values(languages).map(({ code }) => code)
const catalogueName = new RegExp(`\\.(${codes.join('|')})\\.json$`)
const files = repoFiles('client', catalogueName)
const namespaces = [...new Set(files.map((file) => basename(file).replace(catalogueName, '')))]

const fileOf = (namespace: string, code: LanguageCode) =>
  files.find((file) => basename(file) === `${namespace}.${code}.json`)

function textsOf(namespace: string, code: LanguageCode): Map<string, string> {
  const file = fileOf(namespace, code)
  if (file === undefined) throw new Error(`${namespace} has no texts in ${code}`)
  const flat = new Map<string, string>()
  const flatten = (value: unknown, path: string): void => {
    if (typeof value === 'string') flat.set(path, value)
    else if (value !== null && typeof value === 'object')
      for (const [name, inner] of Object.entries(value))
        flatten(inner, path === '' ? name : `${path}.${name}`)
    else throw new Error(`${file}: ${path} is not a text`)
  }
  flatten(JSON.parse(readRepoFile(file)), '')
  return flat
}

const pluralSuffix = /_(zero|one|two|few|many|other)$/
const baseOf = (key: string) => key.replace(pluralSuffix, '')
const basesOf = (texts: ReadonlyMap<string, string>) => [...new Set([...texts.keys()].map(baseOf))].sort()

/** Keys with plural forms, in any language. */
const pluralsOf = (namespace: string) =>
  new Set(
    codes.flatMap((code) =>
      [...textsOf(namespace, code).keys()].filter((key) => pluralSuffix.test(key)).map(baseOf),
    ),
  )

const placeholdersOf = (text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map(([, name]) => name ?? '')
const placeholdersOfKey = (texts: ReadonlyMap<string, string>, base: string) =>
  [
    ...new Set(
      [...texts].filter(([key]) => baseOf(key) === base).flatMap(([, text]) => placeholdersOf(text)),
    ),
  ].sort()

describe('the catalogues', () => {
  it('exist for more than one feature, in every language', () => {
    expect(namespaces.length).toBeGreaterThan(5)
    expect(files).toHaveLength(namespaces.length * codes.length)
  })

  it('have the title of every document that the build writes, without values', () => {
    const titles = Object.values(routes).flatMap(({ prerender }) => prerender?.titleKey ?? [])
    expect(titles.length).toBeGreaterThan(1)
    for (const title of titles)
      for (const code of codes) {
        const [namespace = '', key = ''] = title.split(':')
        const text = textsOf(namespace, code).get(key)
        expect(text === undefined ? 'no text' : placeholdersOf(text), `${title} in ${code}`).toEqual([])
      }
  })

  describe.each(namespaces)('%s', (namespace) => {
    it.each(codes)('has in %s the keys of the English texts', (code) => {
      expect(basesOf(textsOf(namespace, code))).toEqual(basesOf(textsOf(namespace, 'en')))
    })

    it('has text under every key', () => {
      for (const code of codes) {
        const texts = [...textsOf(namespace, code)]
        expect(texts.length).toBeGreaterThan(0)
        expect(texts.filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([])
      }
    })

    it('has the plural forms of each language, no more and no fewer', () => {
      for (const code of codes) {
        const wanted = new Intl.PluralRules(code).resolvedOptions().pluralCategories
        const keys = [...textsOf(namespace, code).keys()]
        for (const base of pluralsOf(namespace)) {
          const forms = keys.filter((key) => baseOf(key) === base && key !== base)
          expect(forms.sort(), `${base} in ${code}`).toEqual(wanted.map((form) => `${base}_${form}`).sort())
        }
      }
    })

    it.each(codes)('fills in %s the placeholders of the English texts', (code) => {
      const [texts, english] = [textsOf(namespace, code), textsOf(namespace, 'en')]
      for (const base of basesOf(texts))
        expect(placeholdersOfKey(texts, base), base).toEqual(placeholdersOfKey(english, base))
    })
  })

  it('set no verb before the name of a colleague, whose gender is not stored', () => {
    const texts = [
      ...namespaces
        .filter((each) => each.startsWith('desk'))
        .flatMap((each) => [...textsOf(each, 'ar').values()]),
      ...Object.values(errors).map(({ text }) => text.ar),
    ]
    const before = texts.flatMap((text) =>
      [...text.matchAll(/(\S+)\s+\{\{(?:name|who)\}\}/g)].map(([, word]) => word),
    )
    const nouns = [
      'إلى',
      'باسم',
      'وإبلاغ',
      'من',
      'لدى',
      'مدينة',
      'الفرع',
      'حساب',
      'الوكيل',
      'جلسات',
      '{{what}}،',
    ]
    expect(before.filter((word) => !nouns.includes(word ?? ''))).toEqual([])
    expect(before).not.toEqual([])
  })
})

interface Source {
  path: string
  namespaces: readonly string[]
  /** Of the app, also those that are loaded later. */
  imports: readonly string[]
  /** Every literal of the file: keys travel as data too (`{ text: 'journey.route' }`). */
  literals: { head: string; isWhole: boolean }[]
}

function readSource(path: string): Source {
  const tree = parseSource(path)
  const literals: Source['literals'] = []
  const named = new Set<string>()
  const imports = new Set<string>()
  tree.visit((node) => {
    const text = textOf(node)
    if (text !== undefined) literals.push(text)
    const imported = importedBy(node)
    if (imported !== undefined) imports.add(pathOf(imported, dirname(path)))
    for (const namespace of namespacesIn(node)) named.add(namespace)
  })
  return {
    path,
    namespaces: [...named],
    imports: [...imports],
    literals,
  }
}

/** The namespaces that a call names: `useTranslation('a')`, `t('a:key')`, `t('key', { ns: 'a' })`. */
function namespacesIn(node: ts.Node): readonly string[] {
  if (!ts.isCallExpression(node)) return []
  const callee = node.expression.getText()
  if (callee === 'useTranslation') return [...literalsIn(node.arguments[0])]
  if (!/^(?:t|textNow)$/.test(callee)) return []
  const ns = optionOf(node.arguments[1], 'ns')
  const given = [...keysIn(node.arguments[0])].flatMap((key) => /^([\w-]+):/.exec(key)?.[1] ?? [])
  return ns === undefined ? given : [ns, ...given]
}

/** Types bring no code. */
function importedBy(node: ts.Node): string | undefined {
  const from =
    (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly !== true) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : undefined
  return from !== undefined && ts.isStringLiteralLike(from) ? from.text : undefined
}

const pathOf = (imported: string, folder: string) =>
  imported.startsWith('.') ? join(folder, imported) : imported.replace(/^#/, '')

function textOf(node: ts.Node): { head: string; isWhole: boolean } | undefined {
  if (ts.isStringLiteralLike(node)) return { head: node.text, isWhole: true }
  if (ts.isTemplateExpression(node)) return { head: node.head.text, isWhole: false }
  return undefined
}

/** The keys a first argument may be: a literal, the begin of a template, or either side of a condition. */
function keysIn(node: ts.Expression | undefined): string[] {
  if (node === undefined) return []
  if (ts.isConditionalExpression(node)) return [...keysIn(node.whenTrue), ...keysIn(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return keysIn(node.expression)
  const text = textOf(node)
  return text === undefined ? [] : [text.head]
}

function literalsIn(node: ts.Expression | undefined): string[] {
  if (node === undefined) return []
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((element) => literalsIn(element))
  return ts.isStringLiteralLike(node) ? [node.text] : []
}

function optionOf(node: ts.Expression | undefined, name: string): string | undefined {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined
  const property = node.properties.find(
    (each) => ts.isPropertyAssignment(each) && each.name.getText() === name,
  )
  return property !== undefined && ts.isPropertyAssignment(property)
    ? literalsIn(property.initializer)[0]
    : undefined
}

/** That every key of the code exists is proved by its types (client/app/text-keys.ts). */
describe('the texts and the code', () => {
  const sources = repoFiles('client', /\.tsx?$/, testFile).map(readSource)
  const homeOf = (namespace: string) => dirname(fileOf(namespace, 'en') ?? '')
  const isOnlyOneIn = (folder: string) => namespaces.filter((each) => homeOf(each) === folder).length === 1

  /** Files that may use a namespace: they name it, or their folder has only this one. */
  const speakersOf = (namespace: string) =>
    sources.filter(
      ({ path, namespaces: named }) =>
        named.includes(namespace) || (dirname(path) === homeOf(namespace) && isOnlyOneIn(homeOf(namespace))),
    )

  it.each(namespaces)('%s has no unused key', (namespace) => {
    const literals = speakersOf(namespace).flatMap((source) => source.literals)
    const whole = new Set(
      literals.filter(({ isWhole }) => isWhole).map(({ head }) => head.replace(/^\w[\w-]*:/, '')),
    )
    // A template counts when it names at least one step of the path: `status.${status}`, never `${anything}`.
    const heads = literals
      .filter(({ head, isWhole }) => !isWhole && head.includes('.'))
      .map(({ head }) => head)
    const unused = basesOf(textsOf(namespace, 'en')).filter(
      (key) => !whole.has(key) && !heads.some((head) => key.startsWith(head)),
    )
    expect(unused).toEqual([])
  })

  describe('a page brings the texts that it shows, and no others:', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]))
    const table = readRepoFile('client/app/page-files.ts')

    /** The files that these lead to; the table of pages leads to all. */
    function reachedFrom(...paths: readonly string[]): ReadonlySet<string> {
      const found = new Set<string>()
      const add = (path: string) => {
        if (found.has(path) || path === 'client/app/page-files.ts' || !byPath.has(path)) return
        found.add(path)
        byPath.get(path)?.imports.forEach(add)
      }
      paths.forEach(add)
      return found
    }
    const groupsOf = (paths: Iterable<string>) =>
      [...paths].flatMap((path) =>
        (byPath.get(path)?.namespaces ?? []).map((each) => textGroupOf(`/${fileOf(each, 'en')}`)),
      )
    const frame = reachedFrom('client/main.tsx')

    it('the frame', () => {
      expect(new Set(groupsOf(frame))).toEqual(new Set(['frame']))
    })

    /** The import in a row, as it is written there: tests rewrite those of a function. */
    function loadedBy(row: string): string {
      const [, from] = new RegExp(`^  ${row}.*?\\bimport\\('([^']+)'\\)`, 'ms').exec(table) ?? []
      return pathOf(from ?? '', 'client/app')
    }

    it.each(Object.keys(routes) as PageName[])('%s', (page) => {
      const { layout } = routes[page]
      const { texts } = pageFiles[page]
      const modules = [
        loadedBy(`${page}: {`),
        ...(layout === undefined ? [] : [loadedBy(`${layout}: async`)]),
      ]
      expect(modules.filter((path) => !byPath.has(path))).toEqual([])
      const own = [...reachedFrom(...modules)].filter((path) => !frame.has(path))
      expect([...new Set(groupsOf(own))].filter((group) => group !== 'frame').sort()).toEqual(
        texts.toSorted(),
      )
    })
  })
})
