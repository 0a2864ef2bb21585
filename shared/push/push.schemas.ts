import Type, { type Static } from 'typebox'

/** The browser's `PushSubscription.toJSON()`, with keys in base64url without padding. */
export const PushSubscriptionBody = Type.Object(
  {
    endpoint: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'The address at the browser’s push service; those in use have up to 700 characters.',
    }),
    p256dh: Type.String({
      pattern: '^B[\\w-]{86}$',
      description: 'Public key of the browser: an uncompressed point of P-256.',
    }),
    auth: Type.String({ pattern: '^[\\w-]{22}$', description: 'Secret of 16 bytes.' }),
  },
  { additionalProperties: false },
)
export type PushSubscriptionBody = Static<typeof PushSubscriptionBody>

/** This number marks a declarative push message (docs/wires/push.md W8). */
export const declarativePushMark = 8030

export const PushSubscriptionExport = Type.Object({
  createdAt: Type.String({ format: 'date-time' }),
  endpoint: Type.String({ description: 'The address at the push service of the browser.' }),
})
export type PushSubscriptionExport = Static<typeof PushSubscriptionExport>
