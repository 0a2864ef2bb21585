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
})
export type CodeSent = Static<typeof CodeSent>
