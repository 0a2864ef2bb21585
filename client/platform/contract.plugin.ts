import type { ESTree, Plugin } from 'vite'

/** What the browser reads of an operation (call.ts, live.ts). */
const read: ReadonlySet<string> = new Set(['method', 'path', 'access', 'stream'])

/**
 * The shared contract as the browser needs it: operations without what only the server and the documents read, and schemas
 * as types alone. It saves typebox, and about as much again in descriptions and in operations that no page calls. The checks of
 * answers are compiled apart (answer-checks.plugin.ts).
 */
export function slimContract(): Plugin {
  return {
    name: 'slim-contract',
    transform: {
      filter: { id: /\/shared\/.*\.ts$/, code: /\btypebox\b|\bdefineOperation\(/ },
      handler(code) {
        let slim = code
        // From the end: what stands before keeps its place.
        const changes = changesOf(this.parse(code)).toSorted(([a], [b]) => b - a)
        for (const [start, end, text = ''] of changes) slim = slim.slice(0, start) + text + slim.slice(end)
        return { code: slim, map: null }
      },
    },
  }
}

type Change = readonly [start: number, end: number, text?: string]

function changesOf(node: ESTree.Node): readonly Change[] {
  const { start, end } = node
  if (node.type === 'ImportDeclaration') return node.source.value === 'typebox' ? [[start, end]] : []
  const called = calledBy(node)
  // Some schemas reuse the properties of others.
  if (called === 'Type' || called === 'successOf') return [[start, end, '{ properties: {} }']]
  const inside = called === 'defineOperation' ? unreadOf(node) : childrenOf(node).flatMap(changesOf)
  return called === 'defineOperation' ? [[start, start, '/* @__PURE__ */ '], ...inside] : inside
}

/** The name of a called function, or of the object that it is a method of. */
function calledBy(node: ESTree.Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  const named = callee.type === 'MemberExpression' ? callee.object : callee
  return named.type === 'Identifier' ? named.name : undefined
}

/** Of the fields of an operation. */
function unreadOf(call: ESTree.Node): readonly Change[] {
  const [operation] = childrenOf(call).filter(({ type }) => type === 'ObjectExpression')
  if (operation === undefined) throw new Error('an operation is written where it is defined')
  const fields = childrenOf(operation)
  return fields.flatMap((field, index): readonly Change[] =>
    isRead(field) ? changesOf(field) : [[field.start, fields[index + 1]?.start ?? operation.end - 1]],
  )
}

/** What several operations share is spread into each, and may hold what is read. */
const isRead = (field: ESTree.Node): boolean =>
  field.type === 'SpreadElement' ||
  (field.type === 'Property' && field.key.type === 'Identifier' && read.has(field.key.name))

function childrenOf(node: ESTree.Node): readonly ESTree.Node[] {
  return Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string')
}
