import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { errorCodesOf } from '#server/platform/operation-errors.ts'
import { type ErrorCode, errors } from '#shared/errors.ts'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { readRepoFile, repoFiles, testFile } from '#test/kit/repo/repo-files.ts'
import { openApiDocument } from '../../scripts/lib/documents.ts'

interface Described {
  readonly operationId: string
  readonly security: readonly Record<string, readonly string[]>[]
  readonly responses: Readonly<Record<string, object>>
}

const source = await openApiDocument()
const document = JSON.parse(source)
const described: Described[] = Object.values<Record<string, Described>>(document.paths).flatMap(Object.values)
const byName = new Map(described.map((operation) => [operation.operationId, operation]))

/** Rules of the linter that this API does not follow, with the reason. */
const rules = {
  // POST /api/orders/{id}/payment and GET /api/orders/user/{userId}: paths of the specification, of different methods.
  'no-ambiguous-paths': 'off',
  // Reports of browsers are always answered 204, also malformed ones.
  'operation-4xx-response': 'off',
} as const

async function lint(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lintFromString({ source: text, config })
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer ?? ''} ${message}`)
}

/** Paths of all objects in a schema that accept fields it does not name. */
function openObjectsIn(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, additionalProperties } = schema as { type?: unknown; additionalProperties?: unknown }
  const own = type === 'object' && additionalProperties !== false ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([key, part]) => openObjectsIn(part, `${path}.${key}`))]
}

/** Bodies and addresses that come from the product's own pages. */
const fromPages = Object.entries<OperationShape>(operations).filter(
  ([, { access }]) => access !== 'provider' && access !== 'browser',
)

it.each(fromPages)('%s accepts no field that it does not name', (name, { body, params, query }) => {
  const schemas = Object.entries({ body, params, query })
  expect(schemas.flatMap(([part, schema]) => openObjectsIn(schema, `${name}.${part}`))).toEqual([])
})

describe('the OpenAPI document', () => {
  it('has no error and no warning of the linter', async () => {
    expect(await lint(source)).toEqual([])
  })

  it('is checked by the linter: a planted fault is found', async () => {
    const broken = structuredClone(document)
    delete broken.paths['/api/config'].get.operationId
    broken.paths['/api/checkout'].post.security = [{ undefinedScheme: [] }]
    const found = (await lint(JSON.stringify(broken))).map((line) => line.split(' ')[0])
    expect(found.sort()).toEqual(['operation-operationId', 'security-defined'])
  })

  it('has the operation names of shared/operations.ts', () => {
    expect([...byName.keys()].sort()).toEqual(Object.keys(operations).sort())
  })

  it.each(Object.entries<OperationShape>(operations))('%s says who may call it', (name, { access }) => {
    const schemes = {
      anyone: [],
      browser: [],
      user: ['userSession'],
      agent: ['agentSession'],
      'signed-in': ['userSession', 'agentSession'],
      staff: ['deskSession'],
      provider: ['callbackSignature'],
      tester: ['demoKey'],
    }
    expect(byName.get(name)?.security.flatMap(Object.keys)).toEqual(schemes[access])
    for (const scheme of schemes[access])
      expect(document.components.securitySchemes[scheme]).toMatchObject({ type: 'apiKey' })
  })

  it.each(Object.entries<OperationShape>(operations))(
    '%s lists its failures by status',
    (name, operation) => {
      const { responses } = byName.get(name) ?? { responses: {} }
      const listed = Object.entries(responses).flatMap(([status, response]) =>
        codesIn(response).map((code) => `${status} ${code}`),
      )
      expect(listed.sort()).toEqual(
        errorCodesOf(operation)
          .map((code) => `${errors[code].status} ${code}`)
          .sort(),
      )
    },
  )
})

/** The values of `code` that a response allows, behind a reference or not. */
function codesIn(response: unknown): string[] {
  const text = JSON.stringify(response)
  const name = /#\/components\/responses\/(\w+)/.exec(text)?.[1]
  if (name !== undefined) return codesIn(document.components.responses[name])
  return [...text.matchAll(/"code":\{"type":"string","enum":(\[[^\]]*\])/g)].flatMap(([, codes = '[]']) =>
    JSON.parse(codes),
  )
}

describe('the codes that operations list', () => {
  const own = Object.values<OperationShape>(operations).flatMap((operation) => operation.errors ?? [])
  const all = new Set<string>(Object.values(operations).flatMap(errorCodesOf))
  /** Every code of the catalogue that occurs in the source as a string. */
  const thrown = new Set(
    ['server', 'shared'].flatMap((folder) =>
      repoFiles(folder, /\.ts$/, testFile)
        .filter((path) => !/\.(errors|operations)\.ts$|operation-errors\.ts$/.test(path))
        .flatMap((path) => [...readRepoFile(path).matchAll(/'([A-Z][A-Z_]+)'/g)].map(([, code = '']) => code))
        .filter((code) => code in errors),
    ),
  )

  it('are all codes of the catalogue, except the one for paths without an operation', () => {
    const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => code !== 'NOT_FOUND')
    expect([...all].sort()).toEqual(codes.sort())
  })

  it('are all thrown by the server', () => {
    expect(own.filter((code) => !thrown.has(code))).toEqual([])
  })

  it('contain every code that the server throws', () => {
    expect(thrown.size).toBeGreaterThan(20)
    expect([...thrown].filter((code) => !all.has(code))).toEqual(['NOT_FOUND'])
  })
})
