import Type, { type Static } from 'typebox'

export const MessageExport = Type.Object({
  createdAt: Type.String({ format: 'date-time' }),
  orderId: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for one about the account.' }),
  about: Type.String({ description: 'What it reports, such as paid or at-branch.' }),
  phone: Type.String({
    description:
      'Where it went: a phone, or the address of an e-mail. Empty when it is kept no longer, like the text.',
  }),
  text: Type.String(),
  state: Type.String({ description: 'What became of it, such as delivered.' }),
  channel: Type.Union([Type.Literal('sms'), Type.Literal('push'), Type.Literal('email')], {
    description: '`push`: it was sent to the user’s browsers, and not by SMS.',
  }),
})
export type MessageExport = Static<typeof MessageExport>

/** A message of each kind is sent at most once for an event. */
export const messageKinds = [
  'paid',
  'label-issued',
  'handed-over',
  'at-branch',
  'collected',
  'refunded',
  'refund-failed',
  'exception',
  'late',
  'cancelled',
  'wrong-amount',
  'receiver-changed',
  'receiver-named',
  'receiver-at-branch',
  'claim-opened',
  'claim-question',
  'claim-answered',
  'claim-late',
  'claim-closed',
  'documents',
  'receiver-changed-letter',
  'number-changed',
  'email-changed',
  'number-changed-letter',
  'email-changed-letter',
  'number-waits',
  'number-waits-letter',
  'email-added-letter',
] as const
export type MessageKind = (typeof messageKinds)[number]

export const messageRecipients = ['owner', 'receiver', 'agent'] as const
export type MessageRecipient = (typeof messageRecipients)[number]

/** The channel `sms` includes push notifications. */
export const messageChannels = ['sms', 'mail'] as const
export type MessageChannel = (typeof messageChannels)[number]

export const mailKinds = [
  'documents',
  'receiver-changed-letter',
  'number-changed-letter',
  'email-changed-letter',
  'number-waits-letter',
  'email-added-letter',
] as const satisfies MessageKind[]
export type MailKind = (typeof mailKinds)[number]
export const isMail = (kind: MessageKind): kind is MailKind => mailKinds.some((one) => one === kind)

export const claimMessageKinds = [
  'claim-opened',
  'claim-question',
  'claim-answered',
  'claim-late',
  'claim-closed',
] as const satisfies readonly MessageKind[]
export type ClaimMessageKind = (typeof claimMessageKinds)[number]
