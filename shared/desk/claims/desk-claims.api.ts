import Type from 'typebox'
import { photoMaxBytes } from '#shared/claims/claims.operations.ts'
import { ClaimRequest } from '#shared/claims/claims.schemas.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import {
  ActHeaders,
  Again,
  IdempotencyHeaders,
  NumberInPath,
  WaitingApproval,
} from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './desk-claims.operations.ts'
import { ClaimAnswer, ClaimClosing, ClaimPartnerNote, DeskClaim } from './desk-claims.schemas.ts'

const feature = 'claims'
const strict = { additionalProperties: false }
const ofClaim = Type.Object({ claimId: NumberInPath }, strict)
const ofPhoto = Type.Object(
  { claimId: NumberInPath, number: Type.String({ pattern: '^[12]$', description: '1 or 2.' }) },
  strict,
)
const refusals = [
  ...(['CLAIM_NOT_FOUND', 'DESK_CLAIM_CLOSED', 'ACTION_NOT_POSSIBLE', 'ACTED_BEFORE', 'WORK_TAKEN'] as const),
  ...(['IDEMPOTENCY_CONFLICT', 'TOO_MANY_CALLS'] as const),
] as const

const replyRefusals = [...refusals, 'DESK_CLAIM_UNREAD'] as const

export const openDeskClaim = defineOperation({
  ...endpoints.openDeskClaim,
  summary: 'Report a problem with a bag for its owner, named so in its history',
  feature,
  params: Type.Object({ id: NumberInPath }, strict),
  headers: IdempotencyHeaders,
  body: ClaimRequest,
  response: successOf({ claimId: Type.Integer() }),
  errors: [
    ...(['ORDER_NOT_FOUND', 'DESK_CLAIM_NOT_OFFERED', 'DESK_CLAIM_OPEN'] as const),
    ...(['ACTION_NOT_POSSIBLE', 'IDEMPOTENCY_CONFLICT', 'TOO_MANY_CALLS'] as const),
  ],
})

export const readDeskClaim = defineOperation({
  ...endpoints.readDeskClaim,
  summary:
    'A claim with its whole history, its deadlines, and a text for the courier; opening it is recorded, once an hour, and limited',
  feature,
  isQuiet: 'again',
  query: Again,
  params: ofClaim,
  response: successOf({ claim: DeskClaim }),
  errors: ['CLAIM_NOT_FOUND', 'TOO_MANY_CALLS'],
})

export const readDeskPhoto = defineOperation({
  ...endpoints.readDeskPhoto,
  summary: 'A photograph of a claim, as a file; a look at it is recorded',
  feature,
  params: ofPhoto,
  response: Type.String({ format: 'binary' }),
  contentType: 'image/jpeg',
  errors: ['CLAIM_NOT_FOUND', 'TOO_MANY_CALLS'],
})

export const storeDeskPhoto = defineOperation({
  ...endpoints.storeDeskPhoto,
  summary:
    'Add a photograph that the owner has sent another way: a JPEG without Exif or other metadata. One that is there stays',
  feature,
  params: ofPhoto,
  headers: ActHeaders,
  body: Type.Unsafe<Uint8Array<ArrayBuffer>>({ type: 'string', format: 'binary' }),
  consumes: ['image/jpeg'],
  bodyBytes: photoMaxBytes,
  response: successOf({ claim: DeskClaim }),
  errors: [
    ...(['CLAIM_NOT_FOUND', 'DESK_CLAIM_CLOSED', 'ACTION_NOT_POSSIBLE', 'ACTED_BEFORE'] as const),
    ...(['PHOTO_REFUSED', 'PHOTO_THERE', 'IDEMPOTENCY_CONFLICT', 'TOO_MANY_CALLS'] as const),
  ],
})

export const answerDeskClaim = defineOperation({
  ...endpoints.answerDeskClaim,
  summary: 'Answer a claim, or ask its owner: it waits for the owner then',
  feature,
  params: ofClaim,
  headers: ActHeaders,
  body: ClaimAnswer,
  response: successOf({ claim: DeskClaim }),
  errors: replyRefusals,
})

export const closeDeskClaim = defineOperation({
  ...endpoints.closeDeskClaim,
  mayWait: true,
  summary:
    'Close a claim; a compensation 202, another person approves; who has the role of money within DESK_REFUND_ALONE at once, after a fresh sign-in',
  feature,
  params: ofClaim,
  headers: ActHeaders,
  body: ClaimClosing,
  response: successOf({ claim: DeskClaim, approval: WaitingApproval }),
  errors: [...replyRefusals, 'REAUTHENTICATION_REQUIRED'],
})

export const noteDeskClaim = defineOperation({
  ...endpoints.noteDeskClaim,
  summary: 'Note that the courier was told, with its number of the complaint, or what it answered',
  feature,
  params: ofClaim,
  headers: ActHeaders,
  body: ClaimPartnerNote,
  response: successOf({ claim: DeskClaim }),
  errors: refusals,
})

export const claimsDeskOperations = {
  openDeskClaim,
  readDeskClaim,
  readDeskPhoto,
  storeDeskPhoto,
  answerDeskClaim,
  closeDeskClaim,
  noteDeskClaim,
} as const
