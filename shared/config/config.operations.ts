import Type, { type Static } from 'typebox'
import { BookingType } from '#shared/orders/orders.schemas.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'

const InEveryLanguage = Type.Object(
  Object.fromEntries(Object.keys(languages).map((code) => [code, Type.String()])) as Record<
    LanguageCode,
    Type.TString
  >,
)

/** The part of the configuration that browsers may read. */
export const PublicConfig = successOf({
  demo: Type.Boolean({ description: 'True while the services are simulated.' }),
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
  enabledTypes: Type.Array(BookingType),
  contact: Type.Object({ email: Type.String(), phone: Type.String(), address: InEveryLanguage }),
  appLink: Type.String(),
})
export type PublicConfig = Static<typeof PublicConfig>

export const readConfig = defineOperation({
  method: 'GET',
  path: '/api/config',
  summary: 'What the browser may know: widget, fare, offered routes, contact, app link',
  feature: 'config',
  access: 'anyone',
  isRoutine: true,
  refusedLast: true,
  response: PublicConfig,
})

export const configOperations = { readConfig } as const
