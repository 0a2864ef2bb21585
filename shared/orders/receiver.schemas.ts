import Type, { type Static } from 'typebox'
import { PersonName, PhoneAsTyped } from '#shared/sessions/sessions.schemas.ts'

export const receiverFields = {
  receiver: Type.Optional(
    Type.Object(
      { name: Type.String(), phone: Type.Optional(Type.String()) },
      { description: 'Who collects the bag. Without it its owner.' },
    ),
  ),
  secondPhone: Type.Optional(Type.String({ description: 'Another number for calls about the bag.' })),
}

const ReceiverAsTyped = Type.Object(
  { name: PersonName, phone: Type.Optional(PhoneAsTyped) },
  { additionalProperties: false },
)

export const newReceiverFields = {
  receiver: Type.Optional(ReceiverAsTyped),
  secondPhone: Type.Optional(PhoneAsTyped),
}

/** A missing field stays unchanged; `null` removes the value. */
export const ReceiverChange = Type.Object(
  {
    receiver: Type.Optional(Type.Union([ReceiverAsTyped, Type.Null()])),
    secondPhone: Type.Optional(Type.Union([PhoneAsTyped, Type.Null()])),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ReceiverChange = Static<typeof ReceiverChange>

const NamedReceiver = Type.Object(receiverFields)
export type NamedReceiver = Static<typeof NamedReceiver>
