import Type, { type Static } from 'typebox'
import { codeChannels, sendChannels } from '#shared/platform/code-channels.ts'
import { codeLength } from '#shared/platform/code-length.ts'
import { phoneLength } from '#shared/platform/phone.ts'
import { emailMaxLength } from './email-address.ts'
import { numberChangeStates } from './number-changes.ts'
import { personNameMaxLength } from './person-name.ts'

export const User = Type.Object({
  id: Type.Integer(),
  name: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
})
export type User = Static<typeof User>

export const OwnUser = Type.Object({
  ...User.properties,
  messages: Type.Optional(
    Type.Boolean({ description: 'Whether SMS about bags are wanted; absent where none are sent.' }),
  ),
  email: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The address that was proven; null without one, absent where addresses are not offered.',
    }),
  ),
})
export type OwnUser = Static<typeof OwnUser>

/** `id` is the gateway's own id of the agent, not the partner's. */
export const Agent = Type.Object(User.properties)
export type Agent = Static<typeof Agent>

/** The server converts every accepted spelling of a phone to E.164. */
export const PhoneAsTyped = Type.String({ minLength: phoneLength.min, maxLength: phoneLength.max })

export const EmailAsTyped = Type.String({ minLength: 3, maxLength: emailMaxLength + 20 })

export const EmailStopToken = Type.String({ pattern: '^[\\w-]{22}$' })

export const codeDeliveries = ['delivered', 'undelivered', 'unknown'] as const
export type CodeDelivery = (typeof codeDeliveries)[number]

export const CodeChannelChoice = Type.Enum([...codeChannels])

export const CodeAsTyped = Type.String({ pattern: `^\\p{Nd}{${codeLength}}$` })

export const PersonName = Type.String({
  description: `At most ${personNameMaxLength} characters. Hidden ones are left out first, and white space is one space.`,
})

export const CodeSent = Type.Object({
  success: Type.Literal(true),
  expiresInSeconds: Type.Integer({ minimum: 0 }),
  resendInSeconds: Type.Integer({ minimum: 0 }),
  sent: Type.Boolean({
    description:
      'True when a code was just sent; false when the one sent before still holds and no new one went out.',
  }),
  channel: CodeChannelChoice,
  channels: Type.Array(CodeChannelChoice, { description: 'On offer for this number, in their order.' }),
  nextChannelInSeconds: Type.Integer({
    minimum: 0,
    description:
      'When a code may be asked for by another channel; at once where `delivery` says undelivered.',
  }),
})
export type CodeSent = Static<typeof CodeSent>

const { channel: _, channels: __, nextChannelInSeconds: ___, ...emailCodeFields } = CodeSent.properties
export const EmailCodeSent = Type.Object(emailCodeFields)

export const SessionView = Type.Object({
  id: Type.String({ description: 'A name of the session that opens nothing.' }),
  createdAt: Type.String({ format: 'date-time' }),
  lastSeenAt: Type.String({ format: 'date-time', description: 'To the minute.' }),
  device: Type.Union([Type.String(), Type.Null()], {
    description: 'Browser and system in a word each; null where they are not known.',
  }),
  isCurrent: Type.Boolean({ description: 'True for the session that asks.' }),
})
export type SessionView = Static<typeof SessionView>

export const SessionId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
})

/** The digits of a code are not stored, so they cannot be exported. */
export const CodeExport = Type.Object({
  sentAt: Type.String({ format: 'date-time' }),
  channel: Type.Enum([...sendChannels]),
  delivery: Type.Union([Type.Enum([...codeDeliveries]), Type.Null()], {
    description: 'Null where the code service was not asked.',
  }),
  validUntil: Type.String({ format: 'date-time' }),
  triedTimes: Type.Integer(),
  state: Type.String(),
})
export type CodeExport = Static<typeof CodeExport>

export const NumberChangeExport = Type.Object({
  phone: Type.Union([Type.String(), Type.Null()], { description: 'The new number, while the change waits.' }),
  approvedAt: Type.String({ format: 'date-time' }),
  takesFrom: Type.String({ format: 'date-time' }),
  state: Type.Enum([...numberChangeStates]),
})
export type NumberChangeExport = Static<typeof NumberChangeExport>
