import Type, { type Static } from 'typebox'
import { Over } from '#shared/desk/work/work.schemas.ts'
import { newReceiverFields, ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { type ApprovalAct, approvalActs } from '#shared/platform/desk-words.ts'
import {
  Instant,
  NumberInPath,
  orNull,
  Reason,
  StaffRoles,
  TypedLines,
  WaitingApproval,
} from '#shared/platform/platform.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

const strict = { additionalProperties: false }

export const decidingRoles: readonly StaffRole[] = ['money', 'lead']

export const rolesAtTerminal: Partial<Record<ApprovalAct, readonly StaffRole[]>> = {
  refund: decidingRoles,
  'write-off': decidingRoles,
  reissue: ['lead'],
}

/** With `over`, staff act although a colleague has taken the order in a work list. */
export const ActBody = Type.Object({ reason: Reason, over: Over }, strict)
export const ResendBody = Type.Object(
  {
    ...ActBody.properties,
    message: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'This one alone, from `data.message` of a line: it failed, or was sent over 10 minutes ago.',
      }),
    ),
  },
  strict,
)
export const NoteBody = Type.Object({ text: TypedLines({ least: 1, most: 2_000 }) }, strict)
export const ReceiverBody = Type.Object(
  {
    reason: Reason,
    receiver: Type.Optional(Type.Union([newReceiverFields.receiver, Type.Null()])),
    secondPhone: ReceiverChange.properties.secondPhone,
    over: Over,
  },
  { ...strict, anyOf: [{ required: ['receiver'] }, { required: ['secondPhone'] }] },
)
export type ReceiverBody = Static<typeof ReceiverBody>
export const WriteOffBody = Type.Object(
  {
    reason: Reason,
    transaction: Type.String({ minLength: 1, maxLength: 64, description: 'Whose refund is written off.' }),
    over: Over,
  },
  strict,
)

export const ActAnswer = Type.Object({
  approval: WaitingApproval,
  partnerText: Type.Optional(
    Type.String({
      description:
        'Of a receiver after printing: what the shipping partner is told by hand. In the first answer alone.',
    }),
  ),
})
export type ActAnswer = Static<typeof ActAnswer>

export const ApproveBody = orNull(Type.Object({ over: Over }, strict))

export const ApprovalsQuery = Type.Object({ cursor: Type.Optional(NumberInPath) }, strict)

/** A missing field changes nothing; `null` removes the value. */
const changedReceiver = {
  receiver: Type.Optional(orNull(Type.Object({ name: Type.String(), phone: orNull(Type.String()) }))),
  secondPhone: Type.Optional(orNull(Type.String())),
  number: Type.Optional(Type.String({ description: 'Of `number`: the number that the account gets.' })),
}
export const ChangedReceiver = Type.Object(changedReceiver)
export type ChangedReceiver = Static<typeof ChangedReceiver>

/** A request with a `bad` check cannot be approved. */
export const checkTones = ['good', 'note', 'bad'] as const
export type CheckTone = (typeof checkTones)[number]

export const Approval = Type.Object({
  approvalId: Type.Integer(),
  orderId: orNull(Type.Integer({ description: 'Null where it is about no order.' })),
  act: Type.Enum([...approvalActs], { description: 'A reader must tolerate others.' }),
  about: orNull(
    Type.String({
      description: 'The transaction of a refund, the number of a claim, the number of a person.',
    }),
  ),
  amountHalalas: Type.Integer({ description: '0 where no money moves.' }),
  reason: Type.String({ description: 'Of a compensation what the owner of the claim would read.' }),
  askedBy: Type.String(),
  askedRoles: StaffRoles,
  askedAt: Instant,
  expiresAt: Instant,
  terminal: orNull(
    Type.Object(
      {
        user: Type.String({ description: 'The user of the terminal.' }),
        isConfirmed: Type.Boolean({ description: '`askedBy` has confirmed it at the desk.' }),
      },
      { description: 'Asked from a terminal in the name of `askedBy`.' },
    ),
  ),
  isMine: Type.Boolean({ description: 'Asked by the caller, who cannot approve it.' }),
  changed: orNull(
    Type.String({ description: 'What has changed since it was asked, so that it cannot be approved.' }),
  ),
  checks: Type.Array(Type.Object({ tone: Type.Enum([...checkTones]), text: Type.String() }), {
    description: 'What speaks for and against it at this moment, in the language of the caller.',
  }),
  receiver: orNull(
    Type.Object(changedReceiver, {
      description:
        'Of `receiver` and `number`: the new name and phones, masked. What is absent stays, null removes: then the owner collects the bag.',
    }),
  ),
})
export type Approval = Static<typeof Approval>
