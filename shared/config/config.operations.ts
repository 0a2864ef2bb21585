import Type, { type Static } from 'typebox'
import { BookingType } from '#shared/orders/orders.schemas.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { successOf } from '#shared/platform/problem.ts'

const InBothLanguages = Type.Object({ ar: Type.String(), en: Type.String() })

/** What the browser may know of the configuration. */
export const PublicConfig = successOf({
  demo: Type.Boolean({ description: 'True while the outsiders are simulated.' }),
  widget: Type.Object({
    script: Type.String({ description: 'A module script that sets window.Pixel.' }),
    styles: Type.Array(Type.String()),
  }),
  fare: Type.Object({
    base: Type.Number({ description: 'SAR, one way.' }),
    return: Type.Number({ description: 'SAR, added for the way back.' }),
    currency: Type.String(),
  }),
  maxWeightKg: Type.Number(),
  enabledTypes: Type.Array(BookingType),
  contact: Type.Object({ email: Type.String(), phone: Type.String(), address: InBothLanguages }),
  appLink: Type.String(),
})
export type PublicConfig = Static<typeof PublicConfig>

export const readConfig = defineOperation({
  method: 'GET',
  path: '/api/config',
  summary: 'What the browser may know: widget, fare, offered routes, contact, app link',
  room: 'config',
  caller: 'anyone',
  response: PublicConfig,
})

export const configOperations = { readConfig } as const
