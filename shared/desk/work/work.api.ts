import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { ActHeaders, EventStream, NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './work.operations.ts'
import {
  DeskEventsQuery,
  DeskNotice,
  Hand,
  Seen,
  SeenItem,
  Take,
  WorkFilter,
  WorkItem,
  WorkOfKind,
  WorkOverview,
  WorkQuery,
  WorkRow,
} from './work.schemas.ts'

const feature = 'work'

export const readWork = defineOperation({
  ...endpoints.readWork,
  summary: 'The work lists with their counts, what you have, and who else is at the desk',
  feature,
  isQuiet: true,
  query: WorkQuery,
  response: successOf(WorkOverview.properties),
})

export const listWork = defineOperation({
  ...endpoints.listWork,
  summary: 'The first 100 rows of a work list in their order, and who has each',
  feature,
  isQuiet: true,
  params: WorkOfKind,
  query: WorkFilter,
  response: successOf({ rows: Type.Array(WorkRow) }),
})

export const takeWork = defineOperation({
  ...endpoints.takeWork,
  summary: 'Take a row: one person has it',
  feature,
  params: WorkItem,
  body: Take,
  response: successOf({ row: WorkRow }),
  errors: ['WORK_NOT_FOUND', 'WORK_TAKEN'],
})

export const releaseWork = defineOperation({
  ...endpoints.releaseWork,
  summary: 'Give a row back to the list; again: no effect',
  feature,
  params: WorkItem,
  body: NoBody,
  response: successOf({}),
  errors: ['WORK_TAKEN'],
})

export const handWork = defineOperation({
  ...endpoints.handWork,
  summary: 'Hand a row over to a colleague who is at the desk, with a note',
  feature,
  params: WorkItem,
  headers: ActHeaders,
  body: Hand,
  response: successOf({ row: WorkRow }),
  errors: ['WORK_NOT_FOUND', 'WORK_TAKEN', 'COLLEAGUE_NOT_FOUND', 'IDEMPOTENCY_CONFLICT'],
})

export const endWork = defineOperation({
  ...endpoints.endWork,
  summary: 'Nothing is left to do about a payment or a message: it leaves its list',
  feature,
  params: SeenItem,
  headers: ActHeaders,
  body: Seen,
  response: successOf({}),
  errors: ['WORK_NOT_FOUND', 'WORK_TAKEN', 'IDEMPOTENCY_CONFLICT'],
})

export const readDeskEvents = defineOperation({
  ...endpoints.readDeskEvents,
  summary:
    'That the work lists have changed, at most once a second, and that the order that is open has changed; a notice at once',
  feature,
  isQuiet: true,
  query: DeskEventsQuery,
  contentType: 'text/event-stream',
  stream: { ...endpoints.readDeskEvents.stream, data: DeskNotice },
  response: EventStream,
  errors: ['TOO_MANY_STREAMS'],
})

export const workOperations = {
  readWork,
  listWork,
  takeWork,
  releaseWork,
  handWork,
  endWork,
  readDeskEvents,
} as const
