import { type KeyObject, sign } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { brand } from '#shared/platform/brand.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { type GenericObject, longestSafeToken, type SaveClaims } from '#shared/wire/wallet/wallet.wire.ts'
import type { PassContent, PassProvider } from './passes.provider.ts'
import { passTextsIn } from './passes.texts.ts'

export interface GoogleWalletOptions {
  readonly issuerId: string
  readonly email: string
  readonly key: KeyObject
  readonly saveLink: string
  readonly isTest: boolean
  readonly clock: Clock
}

const className = 'amtiati-bag'
const ground = '#0B5D51'

export function createGoogleWallet(options: GoogleWalletOptions): PassProvider {
  const { issuerId, email, key, saveLink, clock } = options

  const tokenOf = (object: GenericObject) =>
    signed(
      {
        iss: email,
        aud: 'google',
        typ: 'savetowallet',
        iat: Math.floor(clock.now() / 1_000),
        origins: [],
        payload: { genericClasses: [{ id: `${issuerId}.${className}` }], genericObjects: [object] },
      },
      key,
    )

  return {
    saveLink(content) {
      const token = tokenOf(objectOf(content, options))
      if (token.length <= longestSafeToken) return saveLink + token
      return saveLink + tokenOf(objectOf({ ...content, place: undefined }, options))
    },
  }
}

function objectOf(
  { awb, orderId, city, place, language }: PassContent,
  { issuerId, isTest }: GoogleWalletOptions,
): GenericObject {
  const t = passTextsIn(language)
  return {
    id: `${issuerId}.${awb}`,
    classId: `${issuerId}.${className}`,
    state: 'ACTIVE',
    cardTitle: localized(isTest ? `${brand.name[language]} · TEST` : brand.name[language], language),
    subheader: localized(t('pass.to'), language),
    header: localized(city === undefined ? t('pass.bag') : cityName(city, language), language),
    barcode: { type: 'CODE_128', value: awb, alternateText: awb },
    hexBackgroundColor: ground,
    textModulesData: [
      { id: 'order', header: t('pass.order'), body: orderNumber(orderId) },
      ...(place === undefined ? [] : [{ id: 'place', header: t('pass.place'), body: place }]),
    ],
  }
}

const localized = (value: string, language: LanguageCode) => ({ defaultValue: { language, value } })

function signed(claims: SaveClaims, key: KeyObject) {
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encoded).join('.')
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
