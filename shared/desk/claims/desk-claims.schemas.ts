import Type from 'typebox'
import { claimKinds, claimOutcomes, claimTextLength } from '#shared/claims/claims.operations.ts'
import { claimAuthors, claimEvents, claimStates } from '#shared/claims/claims.schemas.ts'
import { Over } from '#shared/desk/work/work.schemas.ts'
import { orNull, StaffRoles, Time, TypedLines, TypedReference } from '#shared/platform/platform.schemas.ts'

const strict = { additionalProperties: false }
const Day = Type.String({ format: 'date', description: 'Until its end in Riyadh.' })
const Text = TypedLines({ least: 1, most: claimTextLength.most })

const Step = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'The last step that was seen; refused where the owner has written since.',
  }),
)

export const ClaimAnswer = Type.Object(
  {
    text: Text,
    question: Type.Optional(Type.Literal(true, { description: 'The owner is asked, and not answered.' })),
    step: Step,
    over: Over,
  },
  strict,
)

export const ClaimClosing = Type.Object(
  {
    outcome: Type.Enum([...claimOutcomes]),
    text: TypedLines({ least: 1, most: claimTextLength.most }, 'Why; the owner reads it.'),
    compensation: Type.Optional(
      Type.Object(
        {
          halalas: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
          reference: TypedReference({ least: 1, most: 100 }),
        },
        { ...strict, description: 'Of `compensated`, and of nothing else: it is recorded, not paid.' },
      ),
    ),
    step: Step,
    over: Over,
  },
  strict,
)

export const ClaimPartnerNote = Type.Object(
  {
    what: Type.Enum(['told', 'answered']),
    caseNumber: Type.Optional(TypedReference({ least: 1, most: 60 }, 'The courier’s; needed with `told`.')),
    text: Text,
    over: Over,
  },
  strict,
)

const Compensation = orNull(Type.Object({ halalas: Type.Integer(), reference: orNull(Type.String()) }))

export const DeskClaim = Type.Object({
  claimId: Type.Integer(),
  number: Type.String(),
  orderId: Type.Integer(),
  kind: Type.Enum([...claimKinds]),
  state: Type.Enum([...claimStates]),
  openedAt: Time,
  answerBy: Day,
  lateSince: orNull(Day),
  awb: orNull(Type.String()),
  outcome: orNull(Type.Enum([...claimOutcomes])),
  compensation: Compensation,
  partnerCase: orNull(Type.String()),
  partnerBy: orNull(
    Type.String({ format: 'date-time', description: 'Until then the courier takes complaints.' }),
  ),
  partnerAnswerBy: orNull(
    Type.String({ format: 'date-time', description: 'Until then the courier answers one.' }),
  ),
  events: Type.Array(
    Type.Object({
      step: Type.Integer(),
      kind: Type.Enum([...claimEvents]),
      author: Type.Enum([...claimAuthors]),
      staffName: orNull(Type.String()),
      staffRoles: StaffRoles,
      text: Type.String(),
      at: Time,
      compensation: Compensation,
    }),
    { description: 'Oldest first.' },
  ),
  photos: Type.Array(Type.Integer()),
  partnerText: Type.String({
    description: 'For the courier, in English; without the owner’s name and phone.',
  }),
})
