import { readdirSync } from 'node:fs'
import bcd from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
import postcss from 'postcss'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { browserFloor } from '#client/platform/browser-floor.ts'
import { builtClient, readRepoFile } from '#test/kit/repo/repo-files.ts'

/*
 * What the built files call, against MDN's data of which browser has had it since when: interfaces are not transpiled as
 * syntax is. What every browser of the floor has passes; anything newer is used behind a check, and stands here with it.
 */

/** Newer than the floor, and asked for before it is used. */
const checked: Readonly<Record<string, string>> = {
  '.use()': 'of React and i18next; the language has it in DisposableStack alone',
  '.escape()': 'of i18next; the language has it in RegExp alone',
  '.take()': 'of the rows of a work list; the language has it in Iterator alone',
  'Symbol.dispose': 'zxing-wasm uses it where it is defined',
}

/** Newer than the floor: a browser without it ignores the rule, and the page stays usable. */
const checkedStyles: Readonly<Record<string, string>> = {
  ':-webkit-search-cancel-button': 'hides a button that Firefox does not draw',
  ':details-content': 'opens folds on paper',
  ':selection': 'the colours of a selection',
  '@page': 'the margins of a print',
}

/** The floor in the names of MDN. Desktop Safari has had everything when iOS has. */
const names: Readonly<Record<string, 'safari_ios' | 'chrome' | 'firefox'>> = {
  ios: 'safari_ios',
  chrome: 'chrome',
  firefox: 'firefox',
}
const floor = browserFloor.flatMap((target) => {
  const [, name = '', version = ''] = /^([a-z]+)([\d.]+)$/.exec(target) ?? []
  const browser = names[name]
  return browser === undefined ? [] : [{ browser, version: Number(version) }]
})

const isPlain = (statement: SimpleSupportStatement) =>
  !statement.flags && !statement.prefix && !statement.alternative_name && !statement.version_removed

function hasFloor({ support }: CompatStatement): boolean {
  return floor.every(({ browser, version }) => {
    const statements = [support[browser] ?? []].flat() as readonly SimpleSupportStatement[]
    return statements.some(
      (statement) =>
        isPlain(statement) && Number(String(statement.version_added).replace('≤', '')) <= version,
    )
  })
}

const interfaces: Identifier = { ...bcd.api, ...bcd.javascript.builtins } as unknown as Identifier
const compatOf = (identifier: Identifier | undefined) => identifier?.__compat

const isNew = (compat: CompatStatement | undefined) => compat !== undefined && !hasFloor(compat)

/** Of `Map.groupBy` and the like. */
function isNewStatic(owner: string, name: string): boolean {
  const members = interfaces[owner]
  return isNew(compatOf(members?.[`${name}_static`] ?? members?.[name]))
}

/** By name: false when no interface that the floor has owns a member of this name, though one of the language does. */
const hasMember = new Map<string, boolean>()
for (const members of Object.values(interfaces))
  for (const [name, member] of Object.entries(members)) {
    const compat = compatOf(member as Identifier)
    if (compat !== undefined && hasMember.get(name) !== true) hasMember.set(name, hasFloor(compat))
  }
/** Methods of other interfaces than the language's have names that any code may use. */
const ofLanguage = new Set(
  Object.values(bcd.javascript.builtins ?? {}).flatMap((members) => Object.keys(members)),
)

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

const nameOf = (node: unknown) =>
  isNode(node) && node.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined

/** `new Sanitizer` */
function newerConstructor({ callee }: Node): string | undefined {
  const name = nameOf(callee)
  return name !== undefined && isNew(compatOf(interfaces[name])) ? `new ${name}` : undefined
}

/** `Map.groupBy` */
function newerStatic({ computed, object, property }: Node): string | undefined {
  const [owner, name] = [nameOf(object), nameOf(property)]
  if (computed === true || owner === undefined || name === undefined) return undefined
  return isNewStatic(owner, name) ? `${owner}.${name}` : undefined
}

/** `.difference()` */
function newerMethod({ optional, callee }: Node): string | undefined {
  if (optional === true || !isNode(callee) || callee.type !== 'MemberExpression') return undefined
  const name = callee.computed === true ? undefined : nameOf(callee.property)
  const owner = nameOf(callee.object)
  const isStatic = owner !== undefined && interfaces[owner] !== undefined
  if (name === undefined || isStatic) return undefined
  return ofLanguage.has(name) && hasMember.get(name) === false ? `.${name}()` : undefined
}

const newerOf: Readonly<Record<string, (node: Node) => string | undefined>> = {
  NewExpression: newerConstructor,
  MemberExpression: newerStatic,
  CallExpression: newerMethod,
}

/** What is newer than the floor in a script: `Map.groupBy`, `new Sanitizer`, `.difference()`. */
function newerIn(script: string): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (node: Node): void => {
    const newer = newerOf[String(node.type)]?.(node)
    if (newer !== undefined) found.add(newer)
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  visit(parseAst(script) as unknown as Node)
  return found
}

/** Rules of a style sheet that older browsers drop as a whole. */
function newerRulesIn(style: string): ReadonlySet<string> {
  const found = new Set<string>()
  const { 'at-rules': atRules, selectors } = bcd.css as unknown as Record<string, Identifier>
  postcss.parse(style).walk((node) => {
    if (node.type === 'atrule' && isNew(compatOf(atRules?.[node.name]))) found.add(`@${node.name}`)
    if (node.type !== 'rule') return
    for (const [, name = ''] of node.selector.matchAll(/::?([a-z-]+)/g))
      if (isNew(compatOf(selectors?.[name]))) found.add(`:${name}`)
  })
  return found
}

const built = (ending: string) => {
  builtClient()
  return ['sw.js', ...readdirSync('dist/client/assets').map((name) => `assets/${name}`)]
    .filter((file) => file.endsWith(ending))
    .map((file) => readRepoFile(`dist/client/${file}`))
}

it('the built scripts call nothing that a browser of the floor lacks', () => {
  const found = new Set(built('.js').flatMap((script) => [...newerIn(script)]))
  expect([...found].filter((name) => checked[name] === undefined)).toEqual([])
  expect(Object.keys(checked).filter((name) => !found.has(name))).toEqual([])
})

it('the built styles have no rule that a browser of the floor drops', () => {
  const found = new Set(built('.css').flatMap((style) => [...newerRulesIn(style)]))
  expect([...found].filter((name) => checkedStyles[name] === undefined)).toEqual([])
  expect(Object.keys(checkedStyles).filter((name) => !found.has(name))).toEqual([])
})
