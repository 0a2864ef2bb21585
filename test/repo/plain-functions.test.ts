import ts from 'typescript'
import { expect, it } from 'vitest'
import { repoFiles, testFile } from '#test/kit/repo/repo-files.ts'
import { parseSource, type SourceTree } from '#test/kit/repo/source-tree.ts'

/**
 * A feature of the gateway is functions whose first parameter is `core`, and an import is a dependency.
 */

const example = 'server/features/claims/claims.ts'

interface Rule {
  readonly rule: string
  find(tree: SourceTree): string[]
}

const sources = repoFiles('server', /\.ts$/, testFile).map((path) => parseSource(path))

const placesOf = (tree: SourceTree, find: (node: ts.Node) => string | undefined): string[] => {
  const places: string[] = []
  tree.visit((node) => {
    const name = find(node)
    if (name !== undefined) places.push(`${tree.locationOf(node)} ${name}`)
  })
  return places
}

const functionOf = (node: ts.Node): ts.SignatureDeclaration | undefined => {
  if (ts.isFunctionDeclaration(node)) return node
  const value = ts.isVariableDeclaration(node) ? node.initializer : undefined
  return value && ts.isArrowFunction(value) ? value : undefined
}

const nameOf = (node: ts.Node | undefined): string => (node && ts.isIdentifier(node) ? node.text : '')

const typeNameOf = (node: ts.TypeNode | undefined): string =>
  node && ts.isTypeReferenceNode(node) ? nameOf(node.typeName) : ''

/** Providers are made of their configuration, and `createOrder(core, …)` is a verb. */
const findFactory = (node: ts.Node): string | undefined => {
  const [first] = functionOf(node)?.parameters ?? []
  const name = first && nameOf((node as ts.NamedDeclaration).name)
  return name && /^create[A-Z]/.test(name) && typeNameOf(first?.type) !== 'Core' ? name : undefined
}

const findNeeds = (node: ts.Node): string | undefined =>
  (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && /(Deps|Needs)$/.test(node.name.text)
    ? node.name.text
    : undefined

const findPick = (node: ts.Node): string | undefined => {
  if (!ts.isTypeReferenceNode(node) && !ts.isExpressionWithTypeArguments(node)) return undefined
  const picks = nameOf(ts.isTypeReferenceNode(node) ? node.typeName : node.expression) === 'Pick'
  const picked = typeNameOf(node.typeArguments?.[0])
  return picks && /^Core$|Service$|Store$/.test(picked) ? `Pick<${picked}>` : undefined
}

/** Names of prepared statements by their text, which are the same in every gateway. */
const statementNames = 'server/platform/database/prepared.ts'

/** What belongs to a request or a call (`WeakMap`, `AsyncLocalStorage`) is no state of a gateway. */
function findState(node: ts.Node): string | undefined {
  if (!ts.isVariableDeclaration(node) || !ts.isVariableStatement(node.parent.parent)) return undefined
  if (!ts.isSourceFile(node.parent.parent.parent)) return undefined
  const name = nameOf(node.name)
  if ((node.parent.flags & ts.NodeFlags.Const) === 0) return name
  const isCollection =
    node.initializer &&
    ts.isNewExpression(node.initializer) &&
    /^(Map|Set)$/.test(nameOf(node.initializer.expression))
  const isChanged = new RegExp(`\\b${name}\\.(set|add|delete|clear)\\(`).test(node.getSourceFile().text)
  return isCollection && isChanged ? name : undefined
}

/** Ids of traces begin outside of a core; a nonce of a cipher or of a page never stands for something that happened. */
const drawsItself: readonly string[] = [
  'server/platform/random.ts',
  'server/platform/database/installation.ts',
  'server/platform/plugins/documents.ts',
  'server/platform/plugins/request-trace.ts',
  'server/platform/plugins/unreadable-requests.ts',
  'server/platform/seal.ts',
  'server/platform/work.ts',
  'server/platform/worker.ts',
  'server/features/otp/otp.provider.http.ts',
]

const findRandom = (node: ts.Node): string | undefined =>
  (ts.isIdentifier(node) && /^random(Bytes|Int|UUID)$/.test(node.text)) ||
  (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random')
    ? node.getText()
    : undefined

const rules: readonly Rule[] = [
  {
    rule: 'no module keeps state: several gateways run in one process, and each has its core',
    find: (tree) => (tree.path === statementNames ? [] : placesOf(tree, findState)),
  },
  {
    rule: 'a feature has no factory: verbs, steps and queries are functions whose first parameter is `core`',
    find: (tree) =>
      /^server\/(features|desk)\//.test(tree.path) && !tree.path.includes('.provider.')
        ? placesOf(tree, findFactory)
        : [],
  },
  {
    rule: 'no type ends in Deps or Needs: a function imports what it calls',
    find: (tree) => placesOf(tree, findNeeds),
  },
  {
    rule: 'nothing is picked of a service, a store or Core: the first parameter is `core`',
    find: (tree) => placesOf(tree, findPick),
  },
  {
    rule: 'what is random comes from `core.random`, which tests replace',
    find: (tree) => (drawsItself.includes(tree.path) ? [] : placesOf(tree, findRandom)),
  },
]

it.each(rules)('$rule', ({ rule, find }) => {
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.flatMap(find), `${rule}; ${example} shows the form`).toEqual([])
})
