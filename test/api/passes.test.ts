import { expect, it } from 'vitest'
import { readWalletLink } from '#shared/passes/passes.operations.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { sharedStack } from '#test/kit/gateway/in-process.ts'

it('the link of a paid bag opens the wallet of the simulator, with its barcode and TEST, in the language of its owner', async () => {
  const stack = await sharedStack()
  const pilgrim = await signedUpPilgrim(stack, { lang: 'ar' })
  const orderId = await paidOrder(stack, pilgrim)
  const awb = await issuedAwb(pilgrim.person, orderId)
  const { url } = await pilgrim.person.call(readWalletLink, { params: { id: String(orderId), awb } })
  const page = await fetch(url)
  expect(page.status).toBe(200)
  const text = await page.text()
  for (const shown of [awb, `OD-${orderId}`, 'أمتعتي · TEST']) expect(text).toContain(shown)
})
