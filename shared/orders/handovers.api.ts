import Type, { type Static } from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { IdempotencyHeaders, Instant, NumberInPath } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './handovers.operations.ts'
import {
  handoverPhotoHours,
  handoverPhotoMaxBytes,
  longestRefusalText,
  refusalReasons,
  undoMinutes,
} from './handovers.operations.ts'
import { AirwayBillNumber, Booking, Order } from './orders.schemas.ts'

const feature = 'orders'
const strict = { additionalProperties: false }

export const HandoverRequest = Type.Object(
  {
    awb: AirwayBillNumber,
    receivedAt: Type.Optional({
      ...Instant,
      description: 'When the agent took the bag, by the clock of the device. Default: now.',
    }),
    sentAt: Type.Optional({
      ...Instant,
      description:
        'When this request was sent, by the same clock: `receivedAt` is corrected by the difference to the clock of the server, and kept between the payment and now.',
    }),
  },
  strict,
)
export type HandoverRequest = Static<typeof HandoverRequest>

export const recordHandover = defineOperation({
  ...endpoints.recordHandover,
  summary: 'The agent takes a bag from its owner',
  feature,
  headers: IdempotencyHeaders,
  body: HandoverRequest,
  response: successOf({ order: Order, booking: Booking }),
  errors: ['ORDER_NOT_FOUND', 'ALREADY_RECEIVED', 'DO_NOT_ACCEPT', 'IDEMPOTENCY_CONFLICT', 'TOO_MANY_CALLS'],
})

export const RefusalRequest = Type.Object(
  {
    awb: AirwayBillNumber,
    reason: Type.Enum([...refusalReasons]),
    text: Type.Optional(
      Type.String({
        maxLength: longestRefusalText,
        description:
          'In the words of the agent, for a reason that is not listed. The owner of the bag reads it.',
      }),
    ),
  },
  strict,
)
export type RefusalRequest = Static<typeof RefusalRequest>

export const refuseBag = defineOperation({
  ...endpoints.refuseBag,
  summary: 'The agent does not accept a bag. It stays with its owner, and its airway bill stays valid',
  feature,
  headers: IdempotencyHeaders,
  body: RefusalRequest,
  response: successOf({ booking: Booking }),
  errors: [
    'ORDER_NOT_FOUND',
    'ALREADY_RECEIVED',
    'DO_NOT_ACCEPT',
    'REFUSED_OFTEN',
    'IDEMPOTENCY_CONFLICT',
    'TOO_MANY_CALLS',
  ],
})

export const undoHandover = defineOperation({
  ...endpoints.undoHandover,
  summary: `Undo a hand-over within ${undoMinutes} minutes, before the courier has scanned the bag`,
  feature,
  params: Type.Object({ awb: AirwayBillNumber }, strict),
  response: successOf({ booking: Booking }),
  errors: ['ORDER_NOT_FOUND', 'TOO_LATE', 'TOO_MANY_CALLS'],
})

/** An agent can look up this many bags of other agents a minute. Further bags look unknown. */
export const foreignBagsPerMinute = 10

export const findForeignBag = defineOperation({
  ...endpoints.findForeignBag,
  summary: `Whether a scanned bag belongs to another agent, ${foreignBagsPerMinute} times a minute`,
  feature,
  params: Type.Object({ awb: AirwayBillNumber }, strict),
  response: successOf({ isOfAnotherAgent: Type.Literal(true) }),
  errors: ['ORDER_NOT_FOUND'],
})

export const storeHandoverPhoto = defineOperation({
  ...endpoints.storeHandoverPhoto,
  summary: `Store the picture of a hand-over in place of the one before, for ${handoverPhotoHours} hours after the hand-over was recorded: a JPEG without Exif or other metadata. An undo deletes it`,
  feature,
  params: Type.Object({ awb: AirwayBillNumber }, strict),
  body: Type.Unsafe<Uint8Array<ArrayBuffer>>({ type: 'string', format: 'binary' }),
  consumes: ['image/jpeg'],
  bodyBytes: handoverPhotoMaxBytes,
  response: successOf({ booking: Booking }),
  errors: ['PHOTO_NOT_FOUND', 'ORDER_NOT_FOUND', 'TOO_LATE', 'PHOTO_REFUSED', 'TOO_MANY_CALLS'],
})

export const readHandoverPhoto = defineOperation({
  ...endpoints.readHandoverPhoto,
  summary: 'The picture that the agent took at the hand-over, as a file',
  feature,
  params: Type.Object({ id: NumberInPath, awb: AirwayBillNumber }, strict),
  response: Type.String({ format: 'binary' }),
  contentType: 'image/jpeg',
  errors: ['ORDER_NOT_FOUND', 'PHOTO_NOT_FOUND'],
})
