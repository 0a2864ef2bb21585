import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { IdempotencyHeaders, NoBody, NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './claims.operations.ts'
import { photoMaxBytes } from './claims.operations.ts'
import { Claim, ClaimMessage, ClaimOffer, ClaimRequest } from './claims.schemas.ts'

const feature = 'claims'
const strict = { additionalProperties: false }
const ofOrder = Type.Object({ id: NumberInPath }, strict)
const ofClaim = Type.Object({ claimId: NumberInPath }, strict)
const ofPhoto = Type.Object(
  { claimId: NumberInPath, number: Type.String({ pattern: '^[12]$', description: '1 or 2.' }) },
  strict,
)

export const openClaim = defineOperation({
  ...endpoints.openClaim,
  summary: 'Report a problem with a bag of a paid order: one open claim per bag and kind',
  feature,
  params: ofOrder,
  headers: IdempotencyHeaders,
  body: ClaimRequest,
  response: successOf({ claim: Claim }),
  errors: ['ORDER_NOT_FOUND', 'CLAIM_NOT_OFFERED', 'CLAIM_OPEN', 'IDEMPOTENCY_CONFLICT', 'TOO_MANY_CALLS'],
})

export const listClaims = defineOperation({
  ...endpoints.listClaims,
  summary: 'The claims of an order, newest first, and what can be reported of its bags now',
  feature,
  params: ofOrder,
  response: successOf({ claims: Type.Array(Claim), offer: ClaimOffer }),
  errors: ['ORDER_NOT_FOUND'],
})

export const writeToClaim = defineOperation({
  ...endpoints.writeToClaim,
  summary:
    'Write again: an answered claim is open again with a new day for our answer, and so is a closed one for 30 days. The same text twice in a row is one message',
  feature,
  params: ofClaim,
  body: ClaimMessage,
  response: successOf({ claim: Claim }),
  errors: ['CLAIM_NOT_FOUND', 'CLAIM_CLOSED', 'CLAIM_OPEN', 'TOO_MANY_CALLS'],
})

export const withdrawClaim = defineOperation({
  ...endpoints.withdrawClaim,
  summary: 'Close a claim at the wish of its owner, six times a day; again: no effect',
  feature,
  params: ofClaim,
  body: NoBody,
  response: successOf({ claim: Claim }),
  errors: ['CLAIM_NOT_FOUND', 'CLAIM_CLOSED', 'TOO_MANY_CALLS'],
})

export const storePhoto = defineOperation({
  ...endpoints.storePhoto,
  summary:
    'Store a photograph of the bag in place of the one before: a JPEG without Exif or other metadata. An answered claim is open again with a new day for our answer',
  feature,
  params: ofPhoto,
  body: Type.Unsafe<Uint8Array<ArrayBuffer>>({ type: 'string', format: 'binary' }),
  consumes: ['image/jpeg'],
  bodyBytes: photoMaxBytes,
  response: successOf({ claim: Claim }),
  errors: ['CLAIM_NOT_FOUND', 'CLAIM_CLOSED', 'PHOTO_REFUSED', 'TOO_MANY_CALLS'],
})

export const readPhoto = defineOperation({
  ...endpoints.readPhoto,
  summary: 'A photograph of a claim, as a file',
  feature,
  params: ofPhoto,
  response: Type.String({ format: 'binary' }),
  contentType: 'image/jpeg',
  errors: ['CLAIM_NOT_FOUND'],
})

export const claimsOperations = {
  openClaim,
  listClaims,
  writeToClaim,
  withdrawClaim,
  storePhoto,
  readPhoto,
} as const
