import Type, { type Static } from 'typebox'
import { AirwayBillNumber } from '#shared/orders/orders.schemas.ts'
import { orNull } from '#shared/platform/platform.schemas.ts'
import { claimKinds, claimOutcomes, claimTextLength } from './claims.operations.ts'

export type ClaimKind = (typeof claimKinds)[number]

/** `OPEN`: the owner waits for our answer. */
export const claimStates = ['OPEN', 'ANSWERED', 'CLOSED'] as const
export type ClaimState = (typeof claimStates)[number]

export type ClaimOutcome = (typeof claimOutcomes)[number]

export const claimEvents = [
  'opened',
  'message',
  'answered',
  'question',
  'passed-on',
  'partner-answered',
  'late',
  'closed',
] as const
export type ClaimEvent = (typeof claimEvents)[number]

export const claimAuthors = ['owner', 'staff', 'system'] as const
export type ClaimAuthor = (typeof claimAuthors)[number]

const Kind = Type.Enum([...claimKinds], {
  description: '`lost` is the bag, `missing` something inside it. A reader must tolerate others.',
})

const Day = Type.String({ format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

export const ClaimRequest = Type.Object(
  {
    kind: Type.Enum([...claimKinds]),
    awb: Type.Optional({
      ...AirwayBillNumber,
      description: 'Of the bag, where the order has two: without it the first that has none yet.',
    }),
    text: Type.String({ minLength: claimTextLength.least, maxLength: claimTextLength.most }),
  },
  { additionalProperties: false },
)
export type ClaimRequest = Static<typeof ClaimRequest>

export const ClaimMessage = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: claimTextLength.most }) },
  { additionalProperties: false },
)

export const Claim = Type.Object({
  claimId: Type.Integer(),
  number: Type.String({ description: 'As people name it: `CL-118`.' }),
  kind: Kind,
  awb: Type.Optional(Type.String({ description: 'Of the bag; absent until it has an airway bill.' })),
  state: Type.Enum([...claimStates], { description: 'A reader must tolerate others.' }),
  openedAt: Type.String({ format: 'date-time' }),
  answerBy: {
    ...Day,
    description:
      'We answer until the end of this working day in Riyadh. Of an open claim; else the last one.',
  },
  isLate: Type.Optional(
    Type.Literal(true, {
      description: 'An earlier day has passed without an answer; `answerBy` is the new one.',
    }),
  ),
  messages: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time' }),
      from: Type.Enum(['you', 'us']),
      text: Type.String(),
      isQuestion: Type.Optional(Type.Literal(true)),
    }),
    { description: 'Oldest first.' },
  ),
  photos: Type.Array(Type.Integer(), {
    description: 'Numbers of the photographs that are stored: `GET /api/claims/{claimId}/photos/{number}`.',
  }),
  outcome: Type.Optional(Type.Enum([...claimOutcomes], { description: 'Of a closed claim.' })),
  compensation: Type.Optional(
    Type.Object(
      { halalas: Type.Integer(), reference: orNull(Type.String()) },
      { description: 'Of a claim that was closed as `compensated`: what another paid, and its reference.' },
    ),
  ),
  reopensUntil: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Of a closed claim: a message opens it again until then.',
    }),
  ),
})
export type Claim = Static<typeof Claim>

export const ClaimOffer = Type.Object({
  answerBy: { ...Day, description: 'Of a claim that is opened now.' },
  bags: Type.Array(
    Type.Object({
      awb: Type.Optional(Type.String()),
      kinds: Type.Array(Kind),
    }),
    { description: 'In the order of travel.' },
  ),
})
export type ClaimOffer = Static<typeof ClaimOffer>
