import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { Value } from 'typebox/value'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { type GenericObject, longestSafeToken, SaveClaims } from '#shared/wire/wallet/wallet.wire.ts'

const { issuerId, clientEmail, privateKey } = demoAccounts.wallet
const key = createPublicKey(
  createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' }),
)

/** The passes of a token, or why it is refused. Stricter than the real service, which reads longer ones where it can. */
export function readToken(token: string): readonly GenericObject[] | string {
  if (token.length > longestSafeToken) return `longer than ${longestSafeToken} characters`
  const [header = '', claims = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || jsonOf(header)?.alg !== 'RS256') return 'not a token signed with RS256'
  const text = Buffer.from(`${header}.${claims}`)
  if (!verify('sha256', text, key, Buffer.from(signature, 'base64url'))) return 'not signed by the account'
  const read: unknown = jsonOf(claims)
  const [error] = Value.Errors(SaveClaims, read)
  if (error) return `claims: ${error.instancePath} ${error.message}`
  const { iss, payload } = read as SaveClaims
  if (iss !== clientEmail) return 'in the name of another account'
  const classes = payload.genericClasses.map(({ id }) => id)
  const isOurs = ({ id, classId }: GenericObject) =>
    id.startsWith(`${issuerId}.`) && classes.includes(classId) && classId.startsWith(`${issuerId}.`)
  return payload.genericObjects.every(isOurs) ? payload.genericObjects : 'ids of another issuer'
}

function jsonOf(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
