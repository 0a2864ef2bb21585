import fc from 'fast-check'
import { Value } from 'typebox/value'
import type { OperationShape } from '#shared/platform/operation.ts'
import type { RawRequest } from './raw-http.ts'

/**
 * Requests that no page of the app sends. The gateway must refuse each, or it only reads. A request that happens to be
 * valid is sent with the origin of another site, so that it must be refused, too.
 */

/** The parts of a valid request of an operation, for a caller with access. */
export interface ValidRequest {
  readonly operation: OperationShape
  /** The address without its query, params filled in. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

export interface HostileRequest {
  readonly name: string
  readonly attack: string
  /** The request carries this caller's cookies. */
  readonly caller: string
  readonly request: RawRequest
}

type Headers = (readonly [string, string])[]

const strangeTexts = [
  ...['', ' ', '\u0000', 'a\u0000b', '\r\nset-cookie: a=b', '\u202e+966512345678\u202c'],
  ...['\u200b\u200e\u2066\ufeff', '\ud800', '\udfff\ud800', '💥'.repeat(40), 'ﷺ'.repeat(30)],
  ...["1' OR '1'='1", '"; DROP TABLE users; --', '<script>alert(1)</script>', '../../../../etc/passwd'],
  ...['%00%0d%0a', '+966512345678,+966512345679', 'NaN', '1e309', '0x10', '-0', '٤٢', 'undefined', 'null'],
  ...['__proto__', 'constructor', 'toString'],
]

const strangeNumbers = [
  0,
  -0,
  -1,
  0.1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  1e308,
  -1e308,
  5e-324,
]

const text = fc.oneof(
  fc.constantFrom(...strangeTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 200 }),
  fc.integer({ min: 80, max: 6_000 }).map((length) => 'x'.repeat(length)),
)

const strangeJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...strangeNumbers, null, true, false) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([], {}, [[]], [null], { $gt: '' }, { length: 10 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>({ toString: 1 }, { toJSON: 'x' }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** A value in another type: in a list, as text, as a number. */
const bent = (value: unknown): unknown[] => [
  [value],
  [value, value],
  { value },
  { 0: value },
  typeof value === 'number' ? String(value) : Number.parseFloat(String(value)) || 0,
  typeof value === 'string' ? ` ${value}\u0000` : value,
]

const unknownFields = [
  ...['isAdmin', 'role', 'id', 'userId', 'agentId', 'status', 'price', 'otp', 'token', 'CustomCode', 'To'],
  ...['RiskCheck', 'constructor', 'toString', 'hasOwnProperty', '', ' ', 'phone ', 'Phone', '$where'],
  ...['a.b'],
]

const rawBodies = [
  ...['', ' ', '{', '}', '[', '"', '{"phone":', "{'phone':1}", '{"a":1}}', '{"a":1,}', '[1,]', 'NaN'],
  ...['\u0000', '\ufeff{}', '{"a":01}', '{"a":.5}', '{"a":"\\x"}', 'phone=0512345678&code=1234', '<a/>'],
  ...['%7B%7D', '[]', '[{}]', '1', '"text"', 'true', 'null', '{"__proto__":{"isAdmin":true}}'],
  ...['{"a":{"__proto__":1}}'],
]

const contentTypes = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'json', ''],
  ...['*/*', 'application/json;', 'application/json; charset=utf-16', 'application/json, text/plain'],
  ...['a/b;c="'],
]

const sites = ['cross-site', 'same-site', 'none', 'same-origin, cross-site', 'SAME-ORIGIN', '', 'null']
const origins = [
  'null',
  'https://elsewhere.example',
  'http://localhost',
  'file://',
  '',
  'http://localhost:1.',
]

const segments = [
  ...['%', '%zz', '%c0%ae%c0%ae', '%00', '..%2f..%2fetc', '%e0%a4%a', '.', '..', '%2e%2e', '%5c..', '0'],
  ...['-1', '1.5', '1e3', '99999999999999999999', '%d9%a4%d9%a2', "1'%20or%20'1'='1", '__proto__'],
  ...['%F0%9F%92%A5', 'a%0d%0ab', '\\', '*', '1,2', '%5B1%5D', '1%20', '1.pdf.pdf', '.pdf', 'user'],
  ...['agent', 'barcode', '\xff', '\x7f'],
]

const queries = [
  ...['limit=0', 'limit=1e3', 'limit=20&limit=30', 'limit[]=5', 'limit[$gt]=1', 'cursor=', 'cursor=%'],
  ...['q=%00', 'q[]=a', `q=${'%25'.repeat(100)}`, 'state=refused&state=waiting', 'city=%F0%9F'],
  ...['order=asc', 'page=2', 'cursor=1%27%20or%201=1', '__proto__[a]=1', '&&&', '=', '%', '?', '#x'],
  ...['hmac=', 'hmac=a&hmac=b', `hmac=${'0'.repeat(128)}`, `hmac=${'f'.repeat(257)}`, 'download[]=1'],
  ...['download=%00'],
]

const strangeHeaders: Headers = [
  ['idempotency-key', 'short'],
  ['idempotency-key', 'x'.repeat(129)],
  ['idempotency-key', '\xd9\x85\xd9\x81\xd8\xaa\xd8\xa7\xd8\xad'],
  ['cookie', `lang=${'x'.repeat(3_000)}`],
  ['cookie', '=;=;=; ;; a; __proto__=1; constructor=2; lang=__proto__'],
  ['cookie', '\xff\xfe=\xff'],
  ['accept-language', '*;q=9,__proto__,\xff'],
  ['accept-language', 'en-'.repeat(500)],
  ['accept-encoding', 'gzip;q=0, *;q=0'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', '127.0.0.1, ::1, nonsense'],
  ['forwarded', 'for=127.0.0.1;host=elsewhere.example;proto=https'],
  ['x-rewrite-url', '/metrics'],
  ['x-request-id', '"><script>'],
  ['authorization', `Bearer ${'a'.repeat(2_000)}`],
  ['if-none-match', 'W/"'],
  ['range', 'bytes=0-,9-1'],
  ['content-encoding', 'gzip'],
  ['upgrade', 'websocket'],
  ['connection', 'keep-alive, x-request-id'],
  ['referer', '\xff'],
  ['x-large', 'y'.repeat(20_000)],
]

const strangeMethods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'FOO', 'get']

/** The fast-check arbitrary of all hostile requests, made from the valid ones. */
export function hostileRequests(
  valid: Readonly<Record<string, ValidRequest>>,
  callers: readonly string[],
): fc.Arbitrary<HostileRequest> {
  const one = fc.constantFrom(...Object.entries(valid))
  return fc.tuple(one, fc.constantFrom(...callers)).chain(([[name, each], caller]) => {
    const attacks = attacksOn(each)
    return fc.constantFrom(...Object.keys(attacks)).chain((attack) =>
      (attacks[attack] ?? fc.constant({})).map((change) => ({
        name,
        attack,
        caller,
        request: requestOf(each, change),
      })),
    )
  })
}

interface Change {
  readonly method?: string
  readonly target?: string
  readonly headers?: Headers
  readonly body?: Uint8Array | string
}

function attacksOn({ path, body }: ValidRequest): Record<string, fc.Arbitrary<Change>> {
  const parts = path.split('/')
  const attacks: Record<string, fc.Arbitrary<Change>> = {
    path: fc
      .tuple(
        fc.nat({ max: parts.length - 2 }),
        fc.oneof(
          fc.constantFrom(...segments),
          fc.string({ unit: 'binary', maxLength: 30 }).map((each) => encodeURIComponent(each.toWellFormed())),
          fc.integer({ min: 90, max: 3_000 }).map((length) => '9'.repeat(length)),
        ),
      )
      .map(([at, segment]) => ({ target: parts.with(at + 1, segment).join('/') })),
    query: fc
      .oneof(fc.constantFrom(...queries), fc.webQueryParameters({ size: 'small' }))
      .map((query) => ({ target: `${path}?${query}`, headers: [['sec-fetch-site', 'cross-site']] })),
    headers: fc
      .array(fc.constantFrom(...strangeHeaders), { minLength: 1, maxLength: 3 })
      .map((headers) => ({ headers, body: '{"unknown":1}' })),
    method: fc.constantFrom(...strangeMethods).map((method) => ({
      method,
      body: '{}',
      // At some paths the changed method is that of another operation, so the request would be valid.
      ...(method === 'DELETE' && { headers: [['sec-fetch-site', 'cross-site'] as const] }),
    })),
    origin: fc
      .tuple(fc.constantFrom(...sites), fc.option(fc.constantFrom(...origins)))
      .map(([site, origin]) => ({
        headers: [['sec-fetch-site', site], ...(origin === null ? [] : [['origin', origin] as const])],
      })),
  }
  if (body === undefined) return attacks

  const fields = Object.keys(body)
  const whole = JSON.stringify(body)
  Object.assign(attacks, {
    'raw body': fc
      .oneof(fc.constantFrom(...rawBodies), fc.string({ unit: 'binary', maxLength: 80 }))
      .map((raw) => ({ body: raw })),
    'other body': fc.jsonValue({ maxDepth: 4 }).map((other) => ({ body: JSON.stringify(other) ?? '' })),
    bytes: fc.uint8Array({ maxLength: 64 }).map((bytes) => ({
      body: Buffer.concat([Buffer.from(whole.slice(0, whole.length / 2)), bytes]),
    })),
    depth: fc
      .tuple(fc.integer({ min: 10, max: 3_000 }), fc.constantFrom('[', '{"a":'))
      .map(([depth, open]) => ({
        body: `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`,
      })),
    size: fc
      .constantFrom(9_000, 20_000, 70_000)
      .map((length) => ({ body: JSON.stringify({ ...body, name: 'x'.repeat(length) }) })),
    'content type': fc.constantFrom(...contentTypes).map((type) => ({ headers: [['content-type', type]] })),
    'unknown field': fc
      .tuple(fc.constantFrom(...unknownFields), strangeJson)
      .map(([field, value]) => ({ body: JSON.stringify({ ...body, [`${field}`]: value }) })),
  } satisfies Record<string, fc.Arbitrary<Change>>)
  if (fields.length > 0)
    Object.assign(attacks, {
      'missing field': fc.constantFrom(...fields).map((field) => {
        const { [field]: _, ...rest } = body
        return { body: JSON.stringify(rest) }
      }),
      'strange value': fc.constantFrom(...fields).chain((field) =>
        fc.oneof(strangeJson, fc.constantFrom(...bent(body[field]))).map((value) => ({
          body: JSON.stringify({ ...body, [field]: value }),
        })),
      ),
      'field twice': fc.constantFrom(...fields).chain((field) =>
        strangeJson.map((value) => ({
          body: `${whole.slice(0, -1)},${JSON.stringify(field)}:${JSON.stringify(value) ?? 'null'}}`,
        })),
      ),
    } satisfies Record<string, fc.Arbitrary<Change>>)
  return attacks
}

function requestOf({ operation, path, body }: ValidRequest, change: Change): RawRequest {
  const method = change.method ?? operation.method
  const content = change.body ?? (body && method !== 'GET' ? JSON.stringify(body) : undefined)
  const given = new Set(change.headers?.map(([name]) => name))
  const headers: Headers = [...(change.headers ?? [])]
  if (content !== undefined && !given.has('content-type')) headers.push(['content-type', 'application/json'])
  if (!given.has('sec-fetch-site')) {
    const isForeign =
      method !== 'GET' &&
      method === operation.method &&
      (change.target === undefined ? couldBeGood(operation, content) : true)
    headers.push(['sec-fetch-site', isForeign ? 'cross-site' : 'same-origin'])
  }
  const target = change.target ?? path
  return { method, target, headers, ...(content !== undefined && { body: content }) }
}

function couldBeGood({ body: schema }: OperationShape, content: Uint8Array | string | undefined): boolean {
  if (schema === undefined || content === undefined || content.length === 0) return true
  try {
    // The gateway's JSON parser skips a byte order mark.
    return Value.Check(
      schema,
      JSON.parse(
        Buffer.from(content)
          .toString('utf8')
          .replace(/^\uFEFF/, ''),
      ),
    )
  } catch {
    return false
  }
}
