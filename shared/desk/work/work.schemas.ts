import Type, { type Static } from 'typebox'
import { travelStates } from '#shared/orders/orders.operations.ts'
import { AirwayBillNumber } from '#shared/orders/orders.schemas.ts'
import { type WorkKind, workKinds } from '#shared/platform/desk-words.ts'
import {
  Instant,
  NumberInPath,
  orNull,
  Reason,
  StreamQuery,
  Time,
  TypedLine,
} from '#shared/platform/platform.schemas.ts'

/** Work lists from which staff remove rows. In other lists a row disappears when its work is done. */
const seenKinds = ['payments', 'messages'] as const satisfies readonly WorkKind[]

export const workCountedTo = 1_000

export const workStaleMs = 60 * 60_000

const Kind = Type.Enum([...workKinds], { description: 'A reader must tolerate others.' })
const Reference = Type.String({ description: 'Of the row in its list.' })

const Taken = Type.Object({
  name: Type.String(),
  isYou: Type.Boolean(),
  since: Time,
  movedAt: Type.String({ format: 'date-time', description: 'The last thing that was done with it.' }),
  isStale: Type.Boolean({ description: 'Not moved for an hour: anyone may take it.' }),
  handedBy: orNull(Type.String()),
  note: orNull(Type.String({ description: 'Of the colleague who handed it over.' })),
})

export const WorkRow = Type.Object({
  kind: Kind,
  id: Reference,
  reason: Type.String({ description: 'Why it waits, as a word of ours.' }),
  orderId: orNull(Type.Integer()),
  awb: orNull(AirwayBillNumber),
  city: orNull(Type.String({ description: 'Where the bag goes.' })),
  since: Time,
  dueAt: Type.String({ format: 'date-time', description: 'The limit of the list; red when it has passed.' }),
  lastNews: orNull(
    Type.Object(
      {
        state: Type.Enum([...travelStates]),
        at: orNull(Time),
        words: orNull(Type.String({ description: 'Of the last scan, in the language of the caller.' })),
        place: orNull(Type.String({ description: 'Of the last scan.' })),
      },
      { description: 'Of the bag.' },
    ),
  ),
  text: Type.String({ description: 'Why it waits, in the language of the caller, from the facts.' }),
  data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]), {
    description: 'The stored facts behind the text.',
  }),
  taken: orNull(Taken),
})
export type WorkRow = Static<typeof WorkRow>

const count = (description: string) =>
  Type.Integer({ description: `${description}, counted to ${workCountedTo}.` })

export const WorkList = Type.Object({
  kind: Kind,
  count: count('Rows'),
  late: count('Rows past their limit'),
  free: count('Rows that no one has'),
  oldest: orNull(Time),
  nextDueAt: orNull(
    Type.String({ format: 'date-time', description: 'The limit that passes first, or passed first.' }),
  ),
})
export type WorkList = Static<typeof WorkList>

const Colleague = Type.Object({
  id: Type.String({ description: 'As the identity provider names the person.' }),
  name: Type.String(),
  has: Type.Integer({ description: 'Rows that the person has.' }),
})

export const WorkOverview = Type.Object({
  lists: Type.Array(WorkList),
  mine: Type.Array(WorkRow, { description: 'What you have, the one that is due first first.' }),
  colleagues: Type.Array(Colleague, { description: 'Who else is signed in at the desk.' }),
  refused: Type.Array(
    Type.Object({
      approvalId: Type.Integer(),
      orderId: orNull(Type.Integer()),
      text: Type.String({ description: 'What you asked for, in your language.' }),
      by: Type.String(),
      at: Time,
      note: Type.String({ description: 'Why.' }),
    }),
    { description: 'What you asked for and a colleague refused in the last 3 days, the newest first.' },
  ),
  ofOrder: Type.Array(WorkRow, { description: 'Of the order that was asked about, in whatever list.' }),
})
export type WorkOverview = Static<typeof WorkOverview>

const strict = { additionalProperties: false }
export const WorkQuery = Type.Object({ order: Type.Optional(NumberInPath) }, strict)
export const WorkOfKind = Type.Object({ kind: Type.Enum([...workKinds]) }, strict)
export const WorkFilter = Type.Object(
  { whose: Type.Optional(Type.Enum(['mine', 'free'], { description: 'Without it everyone’s.' })) },
  strict,
)
export type WorkFilter = Static<typeof WorkFilter>
const Id = Type.String({ pattern: '^[a-z]?[1-9][0-9]{0,14}$', description: 'Of the row in its list.' })
export const WorkItem = Type.Object({ kind: Type.Enum([...workKinds]), id: Id }, strict)
export const SeenItem = Type.Object({ kind: Type.Enum([...seenKinds]), id: Id }, strict)

export const Over = Type.Optional(
  Type.String({
    ...Instant,
    description:
      'Also where a colleague has had it `since` then, as the person was asked: without it, and where another one has it meanwhile, the answer says who.',
  }),
)

export const Take = orNull(Type.Object({ over: Over }, strict))
export const Hand = Type.Object(
  {
    to: Type.String({ minLength: 1, maxLength: 255, description: '`id` of a colleague.' }),
    note: TypedLine({ least: 5, most: 500 }),
  },
  strict,
)
export const Seen = Type.Object({ reason: Reason }, strict)

export const DeskEventsQuery = Type.Object({ ...StreamQuery.properties, ...WorkQuery.properties }, strict)

/** An event without `orderId` means that the work lists have changed. */
export const DeskNotice = Type.Object({
  orderId: Type.Optional(Type.Integer({ description: 'The order of the stream has changed.' })),
})
