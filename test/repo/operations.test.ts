import { beforeAll, describe, expect, it } from 'vitest'
import { registeredOperations } from '#server/platform/register-operation.ts'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { withQuietGateway } from '../../scripts/lib/documents.ts'

const promised: readonly [string, OperationShape][] = Object.entries(operations)
const lineOf = ({ method, path }: OperationShape) => `${method} ${path}`

/** Routes under /api that are not operations: the OpenAPI document and its pages. */
const aboutTheApi = /^GET \/api\/(openapi\.json|docs(\/.*)?)$/

describe('operations', () => {
  let registered: string[] = []
  let implemented: string[] = []

  beforeAll(() =>
    withQuietGateway(async (app) => {
      registered = routesOf(app.printRoutes({ commonPrefix: false }))
      implemented = (registeredOperations.get(app.server) ?? []).map(lineOf)
    }),
  )

  it('have a method and a path of their own', () => {
    expect(promised.length).toBeGreaterThan(15)
    const lines = promised.map(([, operation]) => lineOf(operation))
    expect(new Set(lines).size).toBe(lines.length)
    expect(registered.length).toBeGreaterThan(promised.length)
  })

  it.each(promised)('%s is a route of the gateway', (_, operation) => {
    expect(registered).toContain(lineOf(operation))
    expect(implemented.filter((line) => line === lineOf(operation))).toHaveLength(1)
  })

  it('that browsers ask all the time, and that are logged quietly, change nothing', () => {
    const routine = promised.filter(([, { isRoutine }]) => isRoutine)
    expect(routine.every(([, { method }]) => method === 'GET')).toBe(true)
  })

  it('of staff take what is typed cleaned, or as a value that is compared or read by its own rules', () => {
    const others = promised
      .filter(([, { access }]) => access === 'staff')
      .flatMap(([name, { body }]) => (body ? textsIn(body as Schema).map((path) => `${name}${path}`) : []))
    expect(others.sort()).toEqual([
      'askNumber.phone',
      ...['changeReceiverAtDesk.receiver.name', 'changeReceiverAtDesk.receiver.phone'],
      ...['changeReceiverAtDesk.secondPhone', 'handWork.to', 'openDeskClaim.text'],
      ...['replaceStops.revision', 'replaceStops.stops.code', 'searchDesk.q', 'writeOffAtDesk.transaction'],
    ])
  })

  it('are the only routes under /api', () => {
    const lines = promised.map(([, operation]) => lineOf(operation))
    const others = registered.filter((line) => line.includes(' /api/') && !lines.includes(line))
    expect(others.filter((line) => !aboutTheApi.test(line))).toEqual([])
    expect(others).toContain('GET /api/openapi.json')
  })
})

interface Schema {
  readonly type?: string
  readonly pattern?: string
  /** `binary`: a file. */
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly 'x-typed'?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Where a body holds any text, without `x-typed`. */
function textsIn(schema: Schema, path = ''): string[] {
  const { type, format, properties = {}, items, anyOf = [] } = schema
  const isFile = format === 'binary'
  const isAny = type === 'string' && !isFile && !schema.pattern && !schema.enum && schema.const === undefined
  return [
    ...(isAny && !schema['x-typed'] ? [path] : []),
    ...Object.entries(properties).flatMap(([name, each]) => textsIn(each, `${path}.${name}`)),
    ...(items ? textsIn(items, path) : []),
    ...anyOf.flatMap((each) => textsIn(each, path)),
  ]
}

/** `METHOD path` of every line of the framework's route tree, without the HEAD that comes with every GET. */
function routesOf(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const found = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \(([^)]+)\))?/.exec(line)
    if (found === null) return []
    const [, indent = '', part = '', methods = ''] = found
    const depth = indent.length / 4
    above.length = depth
    above.push(part)
    const path = above.join('')
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => `${method} ${path}`)
  })
}
