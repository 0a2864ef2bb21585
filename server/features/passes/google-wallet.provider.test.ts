import { createPrivateKey, createPublicKey } from 'node:crypto'
import { compactVerify, jwtVerify } from 'jose'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { longestSafeToken, SaveClaims, saveLink } from '#shared/wire/wallet/wallet.wire.ts'
import { manualClock } from '#test/kit/basics/clock.ts'
import { createGoogleWallet } from './google-wallet.provider.ts'
import type { PassContent } from './passes.provider.ts'

const { issuerId, clientEmail: email, privateKey } = demoAccounts.wallet
const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
const now = Date.parse('2027-05-18T12:30:00.900Z')

const bag = {
  awb: '290012345678',
  orderId: 42,
  city: 'Riyadh',
  place: 'حي الملز، شارع صلاح الدين الأيوبي، بجوار محطة القطار الرئيسية',
  language: 'ar',
} as const satisfies PassContent

function tokenFor(content: PassContent, isTest = false): string {
  const wallet = createGoogleWallet({ issuerId, email, key, saveLink, isTest, clock: manualClock(now) })
  const link = wallet.saveLink(content)
  expect(link.startsWith(saveLink)).toBe(true)
  return link.slice(saveLink.length)
}

async function passOf(content: PassContent, isTest?: boolean) {
  const { payload } = await compactVerify(tokenFor(content, isTest), createPublicKey(key))
  const claims: unknown = JSON.parse(Buffer.from(payload).toString())
  expect([...Value.Errors(SaveClaims, claims)]).toEqual([])
  return (claims as SaveClaims).payload
}

describe('the token of a pass', () => {
  it('is signed with RS256 for Google, in the name of the service account', async () => {
    const { payload, protectedHeader } = await jwtVerify(tokenFor(bag), createPublicKey(key), {
      algorithms: ['RS256'],
      audience: 'google',
      issuer: email,
      typ: 'JWT',
      currentDate: new Date(now),
    })
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload).toMatchObject({ typ: 'savetowallet', iat: Math.floor(now / 1_000) })
  })

  it('is as long as every browser takes, whatever the place: then without it', async () => {
    expect(tokenFor(bag).length).toBeLessThanOrEqual(longestSafeToken)
    const [{ textModulesData: kept = [] } = {}] = (await passOf(bag)).genericObjects
    expect(kept.map(({ body }) => body)).toEqual(['OD-42', bag.place])
    const long = { ...bag, place: 'ش'.repeat(400) }
    expect(tokenFor(long).length).toBeLessThanOrEqual(longestSafeToken)
    const [{ textModulesData: left = [] } = {}] = (await passOf(long)).genericObjects
    expect(left.map(({ body }) => body)).toEqual(['OD-42'])
  })
})

describe('a pass', () => {
  it('shows the airway bill as its barcode, in the language of the page', async () => {
    const { genericClasses, genericObjects } = await passOf(bag)
    expect(genericClasses).toEqual([{ id: `${issuerId}.amtiati-bag` }])
    expect(genericObjects).toEqual([
      expect.objectContaining({
        id: `${issuerId}.${bag.awb}`,
        classId: `${issuerId}.amtiati-bag`,
        cardTitle: { defaultValue: { language: 'ar', value: 'أمتعتي' } },
        header: { defaultValue: { language: 'ar', value: 'الرياض' } },
        barcode: { type: 'CODE_128', value: bag.awb, alternateText: bag.awb },
      }),
    ])
    const [english] = (await passOf({ ...bag, language: 'en', city: undefined })).genericObjects
    expect(english?.header).toEqual({ defaultValue: { language: 'en', value: 'Your bag' } })
  })

  it('of the demo says TEST', async () => {
    const [pass] = (await passOf({ ...bag, language: 'en' }, true)).genericObjects
    expect(pass?.cardTitle.defaultValue.value).toBe('Amtiati · TEST')
  })
})
