import Type, { type Static } from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { ActHeaders, NumberInPath, orNull, Reason, StaffRoles } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './audit.operations.ts'

const feature = 'audit'
const roles = ['lead'] as const
const strict = { additionalProperties: false }

const AuditFilter = Type.Object(
  {
    person: Type.Optional(
      Type.String({
        pattern: '^[^\\u0000-\\u001F]{1,255}$',
        description: 'Of the desk, as the identity provider names them.',
      }),
    ),
    order: Type.Optional(NumberInPath),
    user: Type.Optional(NumberInPath),
    action: Type.Optional(Type.String({ pattern: '^[a-z-]{1,60}$' })),
    cursor: Type.Optional(NumberInPath),
  },
  strict,
)
export type AuditFilter = Static<typeof AuditFilter>

const AuditPage = Type.Object({
  rows: Type.Array(
    Type.Object({
      number: Type.Integer(),
      at: Type.String({ format: 'date-time' }),
      by: Type.String(),
      person: orNull(Type.String({ description: 'Null for operators.' })),
      roles: StaffRoles,
      action: Type.String(),
      orderId: orNull(Type.Integer()),
      userId: orNull(Type.Integer()),
      about: orNull(Type.String()),
      reason: orNull(Type.String()),
      before: Type.String({
        description: 'JSON of names and values; of phones and names nothing but a mask.',
      }),
      after: Type.String(),
    }),
    { description: 'The newest first.' },
  ),
  nextCursor: orNull(Type.String()),
  people: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'Of the desk whose actions are kept, by the name that each had last.',
  }),
})
export type AuditPage = Static<typeof AuditPage>

export const listAudit = defineOperation({
  ...endpoints.listAudit,
  summary: 'Who did or looked at what: by person, order, user and kind, 50 at a time',
  feature,
  roles,
  query: AuditFilter,
  response: successOf(AuditPage.properties),
})

const ofWorker = Type.Object({ name: Type.String({ pattern: '^[a-zA-Z]{1,40}$' }) }, strict)

export const listWorkers = defineOperation({
  ...endpoints.listWorkers,
  summary: 'Background work by name: what waits, and since when it is paused on all gateways',
  feature,
  roles,
  isQuiet: true,
  response: successOf({
    workers: Type.Array(
      Type.Object({
        name: Type.String(),
        pausedAt: orNull(Type.String({ format: 'date-time' })),
        waiting: orNull(Type.Integer({ description: 'What it has to do now, counted to 1,000.' })),
      }),
    ),
  }),
})

const change = {
  feature,
  roles,
  params: ofWorker,
  headers: ActHeaders,
  body: Type.Object({ reason: Reason }, strict),
  response: successOf({ changed: Type.Boolean({ description: 'False where it was so before.' }) }),
  errors: ['WORKER_NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'REAUTHENTICATION_REQUIRED'],
} as const

export const pauseWorker = defineOperation({
  ...endpoints.pauseWorker,
  ...change,
  summary: 'Pause background work on all gateways, within seconds, after a fresh sign-in',
})

export const resumeWorker = defineOperation({
  ...endpoints.resumeWorker,
  ...change,
  summary: 'Let paused background work go on, after a fresh sign-in',
})

export const auditOperations = { listAudit, listWorkers, pauseWorker, resumeWorker } as const
