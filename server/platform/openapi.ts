import { type ErrorCode, errors } from '#shared/errors.ts'
import { bodyExamples, featureDescriptions, namedSchemas } from '#shared/openapi.ts'
import { operations } from '#shared/operations.ts'
import { brand } from '#shared/platform/brand.ts'
import type { Access, OperationShape } from '#shared/platform/operation.ts'
import { errorCodesOf } from './operation-errors.ts'

/**
 * What `@fastify/swagger` cannot read from the schemas of routes: names of operations and schemas, who may call, the
 * codes of failures, headers of answers, examples.
 */

type Json = Record<string, unknown>

interface OperationObject {
  readonly parameters?: readonly Json[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> }
  readonly responses: Readonly<Record<string, Json>>
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

const description = `${brand.description.en}

- Every failure is a \`Problem\`. Programs read \`code\`; people read \`message\`, which is in the language of the
  \`Accept-Language\` header or of the language cookie. docs/errors.md lists all codes.
- Calls that change something must come from the app's own pages: a client that is not a browser sends \`Origin\` with
  the public address of the gateway.
- Unknown fields are refused, and no value is converted to another type.
- The creating calls take an \`Idempotency-Key\`: the same key and body get the same answer.`

/** The document without routes. @param sessionCookie name of the cookie that holds the session. */
export function documentHead(version: string, sessionCookie: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand.name.en} API`,
      description,
      version,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      contact: { name: brand.name.en, email: brand.contact.email },
    },
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
    tags: Object.entries(featureDescriptions).map(([name, text]) => ({ name, description: text })),
    components: {
      schemas: namedSchemas,
      securitySchemes: {
        userSession: {
          type: 'apiKey' as const,
          in: 'cookie',
          name: sessionCookie,
          description:
            'Session of a user, set by `verifyOtp`. Under https the cookie is called `__Host-session`, under http `session_<port>`.',
        },
        agentSession: {
          type: 'apiKey' as const,
          in: 'cookie',
          name: sessionCookie,
          description: 'Session of an agent, set by `verifyAgentOtp`, in the same cookie.',
        },
        callbackSignature: {
          type: 'apiKey' as const,
          in: 'query',
          name: signatureParameter,
          description:
            'HMAC-SHA512 of the values of the callback, in hex, keyed with the secret of the merchant account.',
        },
        demoKey: {
          type: 'apiKey' as const,
          in: 'header',
          name: 'x-demo-key',
          description: 'DEMO_CONTROL_KEY of a gateway with MODE=demo.',
        },
      },
    },
  }
}

const signatureParameter = 'hmac'

const security: Readonly<Record<Access, readonly Json[]>> = {
  anyone: [],
  browser: [],
  user: [{ userSession: [] }],
  agent: [{ agentSession: [] }],
  'signed-in': [{ userSession: [] }, { agentSession: [] }],
  provider: [{ callbackSignature: [] }],
  tester: [{ demoKey: [] }],
}

/** Completes the document that was derived from the routes' schemas. Routes that are no operation stay as they are. */
export function completeDocument<D extends ApiDocument>(document: D): D {
  const { schemas } = typedEnums(document.components) as ApiDocument['components']
  const named = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]))
  const referring = (value: unknown) => replaceSchemas(value, named)

  const described = mapValues(document.paths, (methods, path) =>
    mapValues(methods, (operation, method) => {
      const found = byRoute.get(`${method.toUpperCase()} ${path}`)
      return found ? describeOperation(operation, ...found) : operation
    }),
  )
  return {
    ...document,
    components: {
      ...document.components,
      schemas: mapValues(schemas, (schema) => mapValues(schema, referring)),
      responses: commonResponses(),
    },
    paths: referring(typedEnums(described)) as ApiDocument['paths'],
  }
}

/** Operations by method and path in the spelling of OpenAPI. */
const byRoute = new Map(
  Object.entries<OperationShape>(operations).map(([name, operation]) => [
    `${operation.method} ${operation.path.replace(/:(\w+)/g, '{$1}')}`,
    [name, operation] as const,
  ]),
)

function describeOperation(
  { parameters = [], ...given }: OperationObject,
  name: string,
  operation: OperationShape,
): OperationObject {
  const listed = [...parameters, ...(operation.hasETag ? [ifNoneMatch] : [])].filter(
    // It is a security scheme, which generated clients fill in by themselves.
    (parameter) => parameter.name !== signatureParameter,
  )
  return {
    ...{ operationId: name, security: security[operation.access] },
    ...given,
    ...(listed.length > 0 ? { parameters: listed } : {}),
    ...(given.requestBody ? { requestBody: describeBody(given.requestBody, name, operation) } : {}),
    responses: describeResponses(given.responses, operation),
  }
}

/** A body that may be null may be absent. */
function describeBody(
  { content }: NonNullable<OperationObject['requestBody']>,
  name: string,
  { consumes = ['application/json'] }: OperationShape,
) {
  const [{ schema = {} } = {}] = Object.values(content)
  const choices = Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]) : [schema]
  const present = choices.filter(({ type }) => type !== 'null')
  const example = bodyExamples[name as keyof typeof bodyExamples]
  const media = {
    schema: present.length === 1 ? present[0] : schema,
    ...(example === undefined ? {} : { example }),
  }
  return {
    required: present.length === choices.length,
    content: Object.fromEntries(consumes.map((type) => [type, media])),
  } as NonNullable<OperationObject['requestBody']>
}

function describeResponses(
  given: OperationObject['responses'],
  operation: OperationShape,
): Record<string, Json> {
  const status = String(operation.status ?? 200)
  const success = {
    ...given[status],
    description: operation.status === 204 ? 'Received.' : operation.contentType ? 'The file.' : 'Success.',
    ...(operation.contentType ? { headers: fileHeaders } : {}),
    ...(operation.hasETag ? { headers: cacheHeaders } : {}),
  }
  return {
    [status]: success,
    ...(operation.hasETag ? { '304': { description: 'Not modified.', headers: cacheHeaders } } : {}),
    ...mapValues(failuresOf(operation), (codes, failed) =>
      isCommon(codes) ? { $ref: `#/components/responses/${nameOf(codes)}` } : problemResponse(failed, codes),
    ),
  }
}

/** Codes by status, in alphabetical order. */
function failuresOf(operation: OperationShape): Record<string, readonly ErrorCode[]> {
  const byStatus = Map.groupBy(errorCodesOf(operation).toSorted(), (code) => String(errors[code].status))
  return Object.fromEntries(byStatus)
}

const allFailures = Object.values<OperationShape>(operations).flatMap((operation) =>
  Object.entries(failuresOf(operation)),
)

const failuresByName = Map.groupBy(allFailures, ([, codes]) => nameOf(codes))

/** Answers that several operations have in common are components, named by their codes if those are few. */
const isCommon = (codes: readonly ErrorCode[]) =>
  codes.length <= 3 && (failuresByName.get(nameOf(codes))?.length ?? 0) > 1

function commonResponses(): Record<string, Json> {
  return Object.fromEntries(
    allFailures
      .filter(([, codes]) => isCommon(codes))
      .map(([status, codes]) => [nameOf(codes), problemResponse(status, codes)]),
  )
}

/** `NOT_FOUND` and `GONE` are `NotFoundOrGone`. */
function nameOf(codes: readonly ErrorCode[]): string {
  return codes
    .map((code) => code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or')
}

function problemResponse(status: string, codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `- \`${code}\`: ${textOf(code)}`).join('\n'),
    ...(status === '429' || status === '503' ? { headers: retryHeaders } : {}),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
          ],
        },
      },
    },
  }
}

const textOf = (code: ErrorCode) => errors[code].text.en.replace('{{wait}}', 'a while')

const header = (type: string, text: string) => ({ description: text, schema: { type } })
const retryHeaders = {
  'Retry-After': header('integer', 'Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps.'),
}
const cacheHeaders = {
  ETag: header('string', 'Strong, and of its own for each content encoding.'),
  'Cache-Control': header('string', 'How long any cache may keep the answer.'),
}
const fileHeaders = {
  'Content-Disposition': header('string', 'Name of the file, and whether to show or save it.'),
}
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETag of an earlier answer.',
  schema: { type: 'string' },
}

/** TypeBox gives enums no type; generators want one. */
function typedEnums(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typedEnums)
  if (value === null || typeof value !== 'object') return value
  const { enum: choices, type } = value as Json
  const isText = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')
  return {
    ...(isText && type === undefined ? { type: 'string' } : {}),
    ...mapValues(value as Json, typedEnums),
  }
}

/** @param named names of schemas by their JSON. */
function replaceSchemas(value: unknown, named: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceSchemas(each, named))
  if (value === null || typeof value !== 'object') return value
  const name = named.get(JSON.stringify(value))
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  return mapValues(value as Json, (each) => replaceSchemas(each, named))
}

function mapValues<V, W>(
  of: Readonly<Record<string, V>>,
  to: (value: V, key: string) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value, key)]))
}
