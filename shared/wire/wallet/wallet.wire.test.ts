import { expect, it } from 'vitest'
import { wireSamples } from '#test/kit/gateway/wire-samples.ts'
import { SaveClaims, saveLink } from './wallet.wire.ts'

wireSamples(import.meta.url, { 'save-claims': SaveClaims })

it('the link ends where the token begins', () => {
  expect(new URL('token', saveLink).href).toBe(`${saveLink}token`)
})
