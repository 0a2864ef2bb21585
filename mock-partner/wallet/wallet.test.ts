import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { buildPartner } from '#test/builders/mock-partner.builder.ts'
import { readToken } from './wallet.rules.ts'

const { issuerId, clientEmail, privateKey } = demoAccounts.wallet
const ours = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
const text = (value: string) => ({ defaultValue: { language: 'ar', value } })
const pass = {
  id: `${issuerId}.290012345678`,
  classId: `${issuerId}.bag`,
  state: 'ACTIVE',
  cardTitle: text('أمتعتي · TEST'),
  header: text('<b>الرياض</b>'),
  barcode: { type: 'CODE_128', value: '290012345678', alternateText: '290012345678' },
}

async function tokenWith(
  changes: object = {},
  { alg = 'RS256', iss, forges = false }: { alg?: string; iss?: string; forges?: boolean } = {},
) {
  const token = await new SignJWT({
    typ: 'savetowallet',
    aud: 'google',
    iss: iss ?? clientEmail,
    origins: [],
    payload: { genericClasses: [{ id: `${issuerId}.bag` }], genericObjects: [{ ...pass, ...changes }] },
  })
    .setProtectedHeader({ alg })
    .sign(ours)
  return forges ? token.replace(/.{8}$/, 'AAAAAAAA') : token
}

const open = (token: string) => buildPartner().app.inject(`/wallet/gp/v/save/${token}`)

describe('the page of the wallet', () => {
  it('shows a pass that the account has signed, and that nothing is saved', async () => {
    const { statusCode, body } = await open(await tokenWith())
    expect(statusCode).toBe(200)
    for (const shown of ['أمتعتي · TEST', '&#60;b&#62;الرياض', '290012345678', '<svg', 'Nothing is saved'])
      expect(body).toContain(shown)
  })

  it('refuses any other token, and says why', async () => {
    const tokens = await Promise.all([
      tokenWith({}, { forges: true }),
      tokenWith({}, { alg: 'RS512' }),
      tokenWith({}, { iss: 'other@amtiati.example' }),
      tokenWith({ id: '1.290012345678' }),
      tokenWith({ barcode: undefined }),
      tokenWith({ header: text('ش'.repeat(500)) }),
    ])
    expect(tokens.map(readToken)).toEqual([
      'not signed by the account',
      'not a token signed with RS256',
      'in the name of another account',
      'ids of another issuer',
      expect.stringContaining('/payload/genericObjects/0'),
      'longer than 1800 characters',
    ])
    const { statusCode, body } = await open('nonsense')
    expect(statusCode).toBe(400)
    expect(body).toContain('not a token signed with RS256')
  })
})
