import Type, { type Static } from 'typebox'
import { sendChannels } from '#shared/platform/code-channels.ts'
import { CodeSent } from './sessions.schemas.ts'

/** Requests that need a code, because a copied session cookie must not be enough. */
export const confirmationPurposes = ['email', 'email-removal', 'export', 'deletion', 'session'] as const
export type ConfirmationPurpose = (typeof confirmationPurposes)[number]

/** Requests that a code by e-mail also confirms, once the e-mail address can recover the account. */
export const purposesByEmail: readonly ConfirmationPurpose[] = ['email-removal', 'session']

export const ConfirmationChannel = Type.Enum([...sendChannels])

export const ConfirmationSent = Type.Object({
  ...CodeSent.properties,
  channel: ConfirmationChannel,
  channels: Type.Array(ConfirmationChannel, {
    description:
      'On offer for this account, in their order; `email` for the purposes `email-removal` and `session`, once the address may recover the account.',
  }),
})
export type ConfirmationSent = Static<typeof ConfirmationSent>
