import Type, { type Static } from 'typebox'

// The claims in the signed token of a link "Add to Google Wallet" (docs/wires/wallet.md), as far as we use them.

export const saveLink = 'https://pay.google.com/gp/v/save/'

/** Every browser accepts a token of this length (docs/wires/wallet.md G3). */
export const longestSafeToken = 1_800

const resourceId = Type.String({ pattern: '^\\d+\\.[\\w.-]+$' })

export const LocalizedString = Type.Object({
  defaultValue: Type.Object({ language: Type.String(), value: Type.String({ minLength: 1 }) }),
})

export const Barcode = Type.Object({
  type: Type.Enum(['CODE_128', 'QR_CODE', 'PDF_417', 'AZTEC']),
  value: Type.String({ minLength: 1 }),
  alternateText: Type.Optional(Type.String()),
})

export const TextModule = Type.Object({ id: Type.String(), header: Type.String(), body: Type.String() })

export const GenericClass = Type.Object({ id: resourceId })

export const GenericObject = Type.Object({
  id: resourceId,
  classId: resourceId,
  state: Type.Literal('ACTIVE'),
  cardTitle: LocalizedString,
  subheader: Type.Optional(LocalizedString),
  header: LocalizedString,
  barcode: Barcode,
  hexBackgroundColor: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
  textModulesData: Type.Optional(Type.Array(TextModule)),
})
export type GenericObject = Static<typeof GenericObject>

export const SaveClaims = Type.Object({
  iss: Type.String(),
  aud: Type.Literal('google'),
  typ: Type.Literal('savetowallet'),
  iat: Type.Optional(Type.Integer()),
  origins: Type.Array(Type.String()),
  payload: Type.Object({
    genericClasses: Type.Array(GenericClass),
    genericObjects: Type.Array(GenericObject),
  }),
})
export type SaveClaims = Static<typeof SaveClaims>
