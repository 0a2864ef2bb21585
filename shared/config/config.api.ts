import Type, { type Static } from 'typebox'
import { bookingTypes } from '#shared/orders/booking-types.ts'
import { ShownTerms } from '#shared/orders/terms.schemas.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { InEveryLanguage } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { Promises } from '#shared/platform/promises.schemas.ts'
import { Stop } from '#shared/platform/stop.ts'
import * as endpoints from './config.operations.ts'

export const PublicConfig = successOf({
  demo: Type.Boolean({ description: 'True while the services are simulated.' }),
  paymentTest: Type.Boolean({
    description:
      'True while the payment provider is in its test mode: no card is charged, and every page says so.',
  }),
  widget: Type.Object({
    script: Type.String({ description: 'A module script that sets window.Pixel.' }),
    integrity: Type.Optional(Type.String({ description: 'Subresource Integrity of that script.' })),
    styles: Type.Array(Type.String()),
  }),
  fare: Type.Object({
    base: Type.Number({ description: 'SAR, one way.' }),
    return: Type.Number({ description: 'SAR, added for the way back.' }),
    currency: Type.String(),
  }),
  maxWeightKg: Type.Number(),
  enabledTypes: Type.Array(Type.Enum([...bookingTypes])),
  contact: Type.Object({ email: Type.String(), phone: Type.String(), address: InEveryLanguage }),
  purchase: Type.Object(
    {
      ...ShownTerms.properties,
      provider: InEveryLanguage,
      cards: Type.Array(Type.String(), { description: 'Names of the card brands that are accepted.' }),
      seller: Type.Object({
        vatNumber: Type.Optional(Type.String({ description: 'Absent for a seller not registered for VAT.' })),
        registrationNumber: Type.Optional(Type.String({ description: 'Of the commercial registration.' })),
        isExample: Type.Boolean({ description: 'True while the numbers are no real ones.' }),
      }),
    },
    {
      description:
        'What is shown before paying: what may not be in the bag, terms, until when an order can be cancelled, what is paid for a lost bag, payment provider, cards, the seller’s tax details.',
    },
  ),
  promises: Promises,
  termsVersion: Type.String({
    description: 'Of the terms as they stand now: `terms_version` of an order that is made now.',
  }),
  tracking: Type.Object({
    silenceHours: Type.Integer({
      description: 'After so many hours without news of a bag on its way its owner is told so.',
    }),
  }),
  // Older gateways do not send `wallets`.
  wallets: Type.Optional(
    Type.Array(Type.Enum(['google']), {
      description: 'Wallets of phones in which a paid bag can be saved. A reader must tolerate others.',
    }),
  ),
  // Older gateways do not send `handoverPhoto`.
  handoverPhoto: Type.Optional(
    Type.Boolean({ description: 'Agents take a picture of each bag at its hand-over.' }),
  ),
  hasEmail: Type.Boolean({
    description: 'Whether an account can have an address, by which a number that is gone can be replaced.',
  }),
  stops: Type.Array(Stop, {
    description:
      'What is not sold now, and what will not be from a time. A reader must tolerate other kinds.',
  }),
  appLink: Type.String(),
})
export type PublicConfig = Static<typeof PublicConfig>
export type PurchaseConfig = PublicConfig['purchase']

export const readConfig = defineOperation({
  ...endpoints.readConfig,
  summary: 'What the browser may know: widget, fare, offered routes, contact, purchase, app link',
  feature: 'config',
  isRoutine: true,
  refusedLast: true,
  response: PublicConfig,
})

export const configOperations = { readConfig } as const
