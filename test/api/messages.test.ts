import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportUser } from '#shared/account/account.operations.ts'
import { priceOf } from '#shared/checkout/checkout.rules.ts'
import { recordHandover, undoHandover } from '#shared/orders/handovers.operations.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import { readUserSession, updateUser } from '#shared/sessions/sessions.operations.ts'
import {
  agentCodeOf,
  issuedAwb,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { minute } from '#test/kit/clock.ts'
import { eventually } from '#test/kit/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'
import { metricsOf } from '#test/kit/metrics.ts'
import { newPerson } from '#test/kit/person.ts'

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({
    env: {
      ...{ MESSAGES_ENABLED: 'true', MESSAGES_QUIET_MS: '2000' },
      ENABLED_BOOKING_TYPES: 'FROM_MINA,TO_AND_FROM_MINA',
    },
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

  it.concurrent('of a return trip is told once, with both airway bills', async () => {
    const pilgrim = await signedUpPilgrim(stack)
    const type = 'TO_AND_FROM_MINA'
    const amount = riyalsOf(priceOf(type).totalHalalas)
    const orderId = await paidOrder(stack, pilgrim, { type, amount })
    const awbs = await eventually(async () => {
      const { bookings } = await pilgrim.person.order(orderId)
      return bookings.some(({ awb }) => awb === null) ? undefined : bookings.map(({ awb }) => awb)
    })
    expect(awbs).toHaveLength(2)
    const messages = await delivered(pilgrim, 1)
    expect(messages.map(({ text }) => text)).toEqual([
      `أمتعتي: تم الدفع للطلب OD-${orderId}. بوالص حقيبتك: ${awbs.join('، ')}.`,
    ])
  })

  it.concurrent('with a wrong amount is told when that was returned', async () => {
    const pilgrim = await signedUpPilgrim(stack, { lang: 'en' })
    const { orderId } = await pilgrim.person.checkout(pilgrim.user.id)
    await stack.control.replay(orderId, 'success', { callback: 'mismatch' })
    const [message] = await delivered(pilgrim, 1)
    expect(message?.text).toMatch(
      new RegExp(`^Amtiati: SAR \\d+\\.\\d\\d was returned, OD-${orderId} is not booked\\.$`),
    )
    const { refund } = await pilgrim.person.order(orderId)
    expect(refund).toMatchObject({ state: 'done', reason: 'wrong-amount' })
    expect(message?.text).toContain(`SAR ${refund?.amount.toFixed(2)} `)
  })

  it.concurrent('that is refunded is told a second time', async () => {
    const pilgrim = await signedUpPilgrim(stack)
    const orderId = await paidOrder(stack, pilgrim)
    await issuedAwb(pilgrim.person, orderId)
    await stack.control.replay(orderId, 'refund')
    const messages = await delivered(pilgrim, 2)
    expect(messages.map(({ text }) => text)).toContain(
      `أمتعتي: أُعيد مبلغ الطلب OD-${orderId}، وقد يظهر في حسابك بعد أيام.`,
    )
  })
})

it.concurrent('a change of language is heard at the next visit', async () => {
  const pilgrim = await signedUpPilgrim(stack, { lang: 'ar' })
  const cookie = [...pilgrim.person.cookies].map(
    ([name, value]) => `${name}=${name === 'lang' ? 'en' : value}`,
  )
  await fetch(`${stack.gatewayUrl}${readUserSession.path}`, { headers: { cookie: cookie.join('; ') } })
  await paidOrder(stack, pilgrim)
  const [message] = await delivered(pilgrim, 1)
  expect(message?.text).toMatch(/^Amtiati: /)
})

it.concurrent('a user who has switched messages off gets none', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const { user } = await pilgrim.person.call(updateUser, { body: { messages: false } })
  expect(user).toMatchObject({ name: pilgrim.user.name, messages: false })
  expect(await pilgrim.person.call(readUserSession)).toMatchObject({ messages: false })
  const other = await signedUpPilgrim(stack)
  const orderId = await paidOrder(stack, pilgrim)
  await issuedAwb(pilgrim.person, orderId)
  // A later order's message has arrived: one of this order would have, too.
  await paidOrder(stack, other)
  await delivered(other, 1)
  expect(await messagesOf(pilgrim)).toEqual([])
  expect((await exportOf(pilgrim)).messages).toEqual([])
})

it.concurrent('an answer that is lost after the message was sent does not send it twice', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  await stack.control.setFault('messaging', {
    kind: 'lose-answer',
    count: 1,
    match: { phone: pilgrim.user.phone ?? '' },
  })
  await paidOrder(stack, pilgrim)
  await delivered(pilgrim, 1)
  await eventually(
    async () =>
      (await metricsOf([stack.gatewayUrl])).get('amtiati_queue_length{queue="messages"}') === 0 || undefined,
    {
      withinMs: 30_000,
    },
  )
  expect(await messagesOf(pilgrim)).toHaveLength(1)
  expect((await exportOf(pilgrim)).messages).toMatchObject([{ state: 'delivered' }])
})

it('a hand-over is told when no undo is possible any more, and one that was undone is not', async () => {
  const pilgrim = await signedUpPilgrim(stack)
  const phone = '+966500000101'
  const agent = newPerson(stack)
  await agent.signInAgent(phone)
  const agentCode = await agentCodeOf(pilgrim.person, phone)
  const bagWith = async () => issuedAwb(pilgrim.person, await paidOrder(stack, pilgrim, { agentCode }))
  const [awb, mistaken] = [await bagWith(), await bagWith()]
  await delivered(pilgrim, 2)
  for (const each of [awb, mistaken]) await agent.call(recordHandover, { body: { awb: each } })
  await agent.call(undoHandover, { params: { awb: mistaken } })
  await stack.passTime(9 * minute)
  expect(await messagesOf(pilgrim)).toHaveLength(2)
  await stack.passTime(2 * minute)
  const [taken] = await delivered(pilgrim, 3)
  expect(taken?.text).toMatch(new RegExp(`^أمتعتي: استُلمت منك الحقيبة ${awb} لدى [^A-Za-z·]+\\.$`))

  // The courier's scan makes the news of a hand-over final, so both are told, in this order.
  await agent.call(recordHandover, { body: { awb: mistaken } })
  await stack.control.advance(mistaken, { to: 'at-branch' })
  const [arrived, received] = await delivered(pilgrim, 5)
  expect(received?.text).toContain(`استُلمت منك الحقيبة ${mistaken}`)
  expect(arrived?.text).toMatch(
    new RegExp(
      `^أمتعتي: حقيبتك ${mistaken} جاهزة للاستلام من فرع [^A-Za-z·]+، [^A-Za-z·]+\\. أحضر الباركود وهويتك\\.$`,
    ),
  )
  expect(await messagesOf(pilgrim)).toHaveLength(5)
})
