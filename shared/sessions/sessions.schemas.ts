import Type, { type Static } from 'typebox'
import { phoneLength } from '#shared/platform/phone.ts'

export const User = Type.Object({
  id: Type.Integer(),
  name: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
})
export type User = Static<typeof User>

/** The signed-in agent. `id` is ours; the partner's own id of the agent appears only in the partner lists. */
export const Agent = Type.Object({
  id: Type.Integer(),
  name: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
})
export type Agent = Static<typeof Agent>

/** As typed: any spelling of a phone. The server makes one canonical number of it before anything else sees it. */
export const PhoneAsTyped = Type.String({ minLength: phoneLength.min, maxLength: phoneLength.max })

/** The code has exactly four digits, Latin, Arabic-Indic or Persian (spec §5, §9). */
export const CodeAsTyped = Type.String({ pattern: '^[0-9\\u0660-\\u0669\\u06F0-\\u06F9]{4}$' })
export const codeLength = 4

/** Whitespace alone is not a name (spec §5); control characters are refused. */
export const PersonName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001F\\u007F]+$',
})

export const CodeSent = Type.Object({
  success: Type.Literal(true),
  expiresInSeconds: Type.Integer({ minimum: 0 }),
  resendInSeconds: Type.Integer({ minimum: 0 }),
  sent: Type.Boolean({
    description:
      'True when a code was just sent; false when the one sent before still holds and no new one went out.',
  }),
})
export type CodeSent = Static<typeof CodeSent>

/** A signed-in browser, as its owner sees it. Neither the token nor its hash is ever shown. */
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

/** A code that was asked for, in the file a person takes with them. The code itself is kept nowhere. */
export const KeptCode = Type.Object({
  sentAt: Type.String({ format: 'date-time' }),
  validUntil: Type.String({ format: 'date-time' }),
  triedTimes: Type.Integer(),
  state: Type.String(),
})
export type KeptCode = Static<typeof KeptCode>
