import type { ErrorCode } from '#shared/errors.ts'
import type { OperationShape } from '#shared/platform/operation.ts'

const generalErrors: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNEXPECTED',
  'CLOSING',
  'OVERLOADED',
  'STORAGE_UNAVAILABLE',
  'UNKNOWN_HOST',
]

/** Reading an agent's session also needs the partner's list of agents. */
const sessionErrors = ['NOT_SIGNED_IN', 'AGENTS_UNAVAILABLE'] as const

const accessErrors: Readonly<Record<OperationShape['access'], readonly ErrorCode[]>> = {
  anyone: [],
  user: [...sessionErrors, 'WRONG_ROLE'],
  agent: [...sessionErrors, 'WRONG_ROLE'],
  'signed-in': sessionErrors,
  staff: [
    // desk
    'STAFF_NOT_SIGNED_IN',
    'STAFF_ROLE_MISSING',
    // desk
  ],
  provider: [],
  browser: [],
  tester: ['DEMO_KEY_REFUSED'],
}

const provesItself = new Set<OperationShape['access']>(['provider', 'tester'])

export function errorCodesOf({ access, method, errors = [] }: OperationShape): readonly ErrorCode[] {
  if (access === 'browser') return []
  const hasBody = method !== 'GET'
  return [
    ...new Set([
      ...generalErrors,
      ...(hasBody ? (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      ...(hasBody && !provesItself.has(access) ? (['FORBIDDEN_ORIGIN'] as const) : []),
      ...accessErrors[access],
      ...(errors as readonly ErrorCode[]),
    ]),
  ]
}
