import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'

/** The browser's side of Web Push, written from RFC 8188, 8291 and 8292 with Node's own functions. */

const binary = (text: string) => Buffer.from(text, 'base64url')

export interface PushReader {
  /** base64url, as in a subscription. */
  readonly p256dh: string
  readonly auth: string
  readonly privateKey: string
}

/** The example of RFC 8291, section 5: the browser, and the keys of the sender. */
export const rfcReader: PushReader = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
}
export const rfcSender = {
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
}

/** The text of an encrypted message of one record. @throws when it was not encrypted for this reader. */
export function decryptPush(bytes: Uint8Array, { p256dh, auth, privateKey }: PushReader): string {
  const body = Buffer.from(bytes)
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(binary(privateKey))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), binary(p256dh), senderKey])
  const secret = hkdfSync('sha256', pair.computeSecret(senderKey), binary(auth), info, 32)
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${purpose}\0`, length))
  const opener = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  opener.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()])
  const end = padded.lastIndexOf(2)
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is not zero')
  return padded.subarray(0, end).toString('utf8')
}

/** The claims of an `authorization: vapid …` header. @throws when its signature does not fit its key. */
export function readVapid(authorization: string): {
  readonly key: string
  readonly claims: { readonly aud: string; readonly sub: string; readonly exp: number }
} {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', payload = '', signature = ''] = token.split('.')
  const point = binary(key)
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    binary(signature),
  )
  if (!isSigned) throw new Error('the signature does not fit the key')
  return { key, claims: JSON.parse(binary(payload).toString('utf8')) }
}
