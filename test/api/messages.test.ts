import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportUser } from '#shared/account/account.operations.ts'
import { issuedAwb, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({
    env: { MESSAGES_ENABLED: 'true', ENABLED_BOOKING_TYPES: 'FROM_MINA,TO_AND_FROM_MINA' },
    limits: { messageQuietMs: 2_000 },
  })
})
afterAll(() => stack?.close())

const messagesOf = ({ user }: Pilgrim) => stack.control.messages(user.phone ?? '')
/** The messages of a pilgrim, once there are so many, each is delivered, and the gateway was told. */
const delivered = (pilgrim: Pilgrim, count: number) =>
  eventually(
    async () => {
      const messages = await messagesOf(pilgrim)
      const areDone = messages.every(
        ({ status, callbacks }) =>
          status === 'delivered' && callbacks.every((callback) => callback.state === 'delivered'),
      )
      return messages.length >= count && areDone ? messages : undefined
    },
    { withinMs: 60_000 },
  )
const exportOf = async ({ person }: Pilgrim) => person.call(exportUser)

describe('a paid order', () => {
  it.concurrent.each([
    ['ar', /^أمتعتي: تم الدفع للطلب OD-(\d+)\. رقم بوليصة حقيبتك (\d+)\.$/],
    ['en', /^Amtiati: order OD-(\d+) is paid\. Your bag's airway bill: (\d+)\.$/],
  ] as const)('is told once in %s, and the gateway knows that it arrived', async (lang, text) => {
    const pilgrim = await signedUpPilgrim(stack, { lang })
    const orderId = await paidOrder(stack, pilgrim)
    const awb = await issuedAwb(pilgrim.person, orderId)
    const [message, ...others] = await delivered(pilgrim, 1)
    expect(others).toEqual([])
    expect(message?.text).toMatch(text)
    expect(text.exec(message?.text ?? '')?.slice(1)).toEqual([String(orderId), awb])
    expect(message?.callbacks.map(({ status }) => status)).toEqual([200, 200])
    const { messages, profile } = await exportOf(pilgrim)
    expect(profile).toMatchObject({ language: lang, messages: true })
    expect(messages).toMatchObject([
      { orderId, about: 'paid', phone: pilgrim.user.phone, text: message?.text, state: 'delivered' },
    ])
  })
})
