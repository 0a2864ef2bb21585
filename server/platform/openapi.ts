import { type ErrorCode, errors } from '#shared/errors.ts'
import { featureDescriptions, namedSchemas } from '#shared/openapi.ts'
import { operations } from '#shared/operations.ts'
import { brand } from '#shared/platform/brand.ts'
import type { Access, OperationShape } from '#shared/platform/operation.ts'
import { exampleOf } from './openapi-examples.ts'
import { errorCodesOf } from './operation-errors.ts'

type Json = Readonly<Record<string, unknown>>

export interface ApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: Readonly<
    Record<'schemas' | 'responses' | 'securitySchemes', Readonly<Record<string, Json>>>
  >
}

export interface ApiDocumentOptions {
  readonly version: string
  readonly sessionCookie: string
  readonly deskCookie: string
}

const description = `${brand.description.en}

- Every failure is a \`Problem\`. Programs read \`code\`; people read \`message\`, which is in the language of the
  \`Accept-Language\` header or of the language cookie. docs/errors.md lists all codes.
- Calls that change something must come from the app's own pages: a client that is not a browser sends \`Origin\` with
  the public address of the gateway.
- Unknown fields are refused, and no value is converted to another type.
- The creating calls take an \`Idempotency-Key\`: the same key and body get the same answer.
- To sign in on \`/api/docs\`, which the demo alone serves: call \`requestOtp\`, read the code in the simulator's panel
  (Messages), and call \`verifyOtp\` with it. The browser keeps the session, and \`Origin\` is right already.`

export function describeApi(registered: readonly OperationShape[], options: ApiDocumentOptions): ApiDocument {
  const { version } = options
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, operation] of Object.entries<OperationShape>(operations)) {
    if (!registered.includes(operation)) continue
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(name, operation),
    }
  }
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
      schemas: Object.fromEntries(
        Object.entries(namedSchemas).map(([name, schema]) => [name, mapValues(schema, referring)]),
      ),
      responses: namedFailures(registered),
      securitySchemes: securitySchemes(options),
    },
    paths,
  }
}

const signatureParameter = 'hmac'

function securitySchemes({ sessionCookie, deskCookie }: ApiDocumentOptions) {
  const session = { type: 'apiKey', in: 'cookie', name: sessionCookie }
  return {
    userSession: {
      ...session,
      description:
        'Session of a user, set by `verifyOtp`. Under https the cookie is called `__Host-session`, under http `session_<port>`.',
    },
    agentSession: {
      ...session,
      description: 'Session of an agent, set by `verifyAgentOtp`, in the same cookie.',
    },
    deskSession: {
      ...session,
      name: deskCookie,
      description:
        'Session of a person of the company, set by the callback of `/desk/sign-in`. Under https the cookie is called `__Host-desk`, under http `desk_<port>`.',
    },
    callbackSignature: {
      type: 'apiKey',
      in: 'query',
      name: signatureParameter,
      description:
        'HMAC-SHA512 of the values of the callback, in hex, keyed with the secret of the merchant account.',
    },
    demoKey: {
      type: 'apiKey',
      in: 'header',
      name: 'x-demo-key',
      description: 'DEMO_CONTROL_KEY of a gateway with MODE=demo.',
    },
  }
}

const security: Readonly<Record<Access, readonly Json[]>> = {
  anyone: [],
  browser: [],
  user: [{ userSession: [] }],
  agent: [{ agentSession: [] }],
  'signed-in': [{ userSession: [] }, { agentSession: [] }],
  staff: [{ deskSession: [] }],
  provider: [{ callbackSignature: [] }],
  tester: [{ demoKey: [] }],
}

function describeOperation(name: string, operation: OperationShape): Json {
  const { params, query, headers, body, etag } = operation
  const parameters = [
    ...parametersOf('path', params),
    ...parametersOf('query', query),
    ...parametersOf('header', headers),
    ...(etag ? [ifNoneMatch] : []),
  ]
  return {
    operationId: name,
    security: security[operation.access],
    summary: operation.summary,
    tags: [operation.feature],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: describeBody(body, operation.consumes) } : {}),
    responses: { ...describeSuccess(operation), ...describeFailures(operation) },
  }
}

function parametersOf(place: string, schema: object = {}): Json[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, Json>>
    required?: readonly string[]
  }
  return Object.entries(properties)
    .filter(([name]) => name !== signatureParameter)
    .map(([name, { description: text, ...rest }]) => ({
      name,
      in: place,
      required: required.includes(name),
      ...(text === undefined ? {} : { description: text }),
      schema: referring(rest),
      ...exampleField(rest, name),
    }))
}

function exampleField(schema: unknown, name?: string): Json {
  const example = exampleOf(schema, name)
  return example === undefined ? {} : { example }
}

function describeBody(schema: object, consumes: readonly string[] = ['application/json']): Json {
  const { anyOf: choices = [schema as Json] } = schema as { anyOf?: readonly Json[] }
  const present = choices.filter(({ type }) => type !== 'null')
  const media = { schema: referring(present.length === 1 ? present[0] : schema), ...exampleField(present[0]) }
  return {
    required: present.length === choices.length,
    content: Object.fromEntries(consumes.map((type) => [type, media])),
  }
}

function describeSuccess({ status, contentType, response, etag, mayWait, stream }: OperationShape): Json {
  if (status === 204) return { 204: { description: 'Received.' } }
  const success = {
    description: stream ? `Events \`${stream.event}\`.` : contentType ? 'The file.' : 'Success.',
    ...(contentType && !stream ? { headers: fileHeaders } : {}),
    ...(etag ? { headers: cacheHeaders[etag] } : {}),
    content: {
      [contentType ?? 'application/json']: {
        schema: referring(response),
        ...(contentType === undefined ? exampleField(response) : {}),
      },
    },
  }
  return {
    200: success,
    ...(mayWait ? { 202: { ...success, description: 'Another person has to approve it.' } } : {}),
    ...(etag ? { 304: { description: 'Not modified.', headers: cacheHeaders[etag] } } : {}),
  }
}

function failuresOf(operation: OperationShape): [number, readonly ErrorCode[]][] {
  return [...Map.groupBy(errorCodesOf(operation).toSorted(), (code) => errors[code].status)]
}

/** Failures with few codes are shared by most operations, so they become named responses. */
const isNamed = (codes: readonly ErrorCode[]) => codes.length <= 3

function nameOf(codes: readonly ErrorCode[]) {
  return codes
    .map((code) => code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or')
}

const describeFailures = (operation: OperationShape): Json =>
  Object.fromEntries(
    failuresOf(operation).map(([status, codes]) => [
      status,
      isNamed(codes) ? { $ref: `#/components/responses/${nameOf(codes)}` } : describeFailure(status, codes),
    ]),
  )

const namedFailures = (registered: readonly OperationShape[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    registered
      .flatMap(failuresOf)
      .filter(([, codes]) => isNamed(codes))
      .map(([status, codes]) => [nameOf(codes), describeFailure(status, codes)]),
  )

function describeFailure(status: number, codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `- \`${code}\`: ${textOf(code)}`).join('\n'),
    ...(status === 429 || status === 503 ? { headers: retryHeaders } : {}),
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
  strong: {
    ETag: header('string', 'Strong, and of its own for each content encoding.'),
    'Cache-Control': header('string', 'How long any cache may keep the answer.'),
  },
  weak: {
    ETag: header('string', 'Weak: a hash of the answer.'),
    'Cache-Control': header(
      'string',
      '`no-store`: no cache keeps the answer, and the client itself sends its ETag.',
    ),
  },
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

const schemaNames = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [JSON.stringify(schema), name]),
)

function referring(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referring)
  if (schema === null || typeof schema !== 'object') return schema
  const name = schemaNames.get(JSON.stringify(schema))
  return name === undefined ? mapValues(schema, referring) : { $ref: `#/components/schemas/${name}` }
}

const mapValues = (of: object, to: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]))
