import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { exportUser } from '#shared/account/account.operations.ts'
import { changeReceiver, listAgentOrders, readLabelPdf } from '#shared/orders/orders.operations.ts'
import { lateFrom } from '#shared/platform/promises.rules.ts'
import { createShare, readShare } from '#shared/shares/shares.operations.ts'
import {
  agentCodeOf,
  issuedAwb,
  newPhone,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
  withEmail,
} from '#test/builders/pilgrim.builder.ts'
import { minute } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { readLabel } from '#test/kit/browser/pdf.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson } from '#test/kit/gateway/person.ts'

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
const exportOf = async ({ person }: Pilgrim) => {
  await person.confirm('export')
  return person.call(exportUser)
}

describe('a paid order', () => {
  it.concurrent.each([
    ['ar', /^أمتعتي: تم الدفع للطلب OD-(\d+)\. رقم بوليصة حقيبتك (\d+)\. سلّمها إلى [^.]+\./],
    ['en', /^Amtiati: order OD-(\d+) is paid\. Your bag's airway bill: (\d+)\. Hand it in at [^.]+\./],
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

describe('an order that is paid while the shipping service is down', () => {
  afterEach(() => stack.control.endFaults())

  it('is told after ten minutes by SMS and letter, and its airway bills once there are both', async () => {
    const pilgrim = await signedUpPilgrim(stack, { lang: 'en' })
    const email = 'no-airway-bill@example.com'
    await withEmail(stack, pilgrim, email)
    const way = { type: 'TO_AND_FROM_MINA', amount: 100 } as const
    const { orderId } = await pilgrim.person.checkout(pilgrim.user.id, way)
    const told = async () => {
      const texts = (await messagesOf(pilgrim)).map(({ text }) => text)
      return texts.filter((text) => text.includes(`order OD-${orderId} `))
    }
    const toldTimes = (count: number) =>
      eventually(
        async () => {
          const texts = await told()
          return texts.length >= count ? texts : undefined
        },
        { withinMs: 30_000 },
      )
    await stack.control.setFault('shipping', { kind: 'status', status: 503 })
    await stack.control.replay(orderId, 'success')
    await stack.passTime(9 * minute)
    expect(await told()).toEqual([])
    await stack.passTime(2 * minute)
    expect(await toldTimes(1)).toEqual([expect.stringContaining("is paid. Your bag's airway bill follows.")])
    const letter = await eventually(
      async () => (await stack.control.mails(email)).find(({ subject }) => subject.includes('Your receipt')),
      { withinMs: 30_000 },
    )
    expect(letter.attachments.map(({ name }) => name)).toEqual([`OD-${orderId}.pdf`])
    await stack.control.endFaults()
    await stack.passTime(5 * minute)
    const issued = (await toldTimes(2)).find((text) => text.includes('the barcode of order'))
    const { bookings } = await pilgrim.person.order(orderId)
    expect(issued).toContain(`airway bills: ${bookings.map(({ awb }) => awb).join(', ')}.`)
    await stack.passTime(10 * minute)
    expect(await told()).toHaveLength(2)
  })
})

describe('a bag that another person collects', () => {
  it.concurrent('has the receiver on its label, for owner and agent alone, who is told twice and never by a link', async () => {
    const pilgrim = await signedUpPilgrim(stack, { lang: 'en', name: 'Maryam Al-Harbi' })
    const { person, user } = pilgrim
    const agentPhone = '+966500000103'
    const [phone, secondPhone] = [newPhone(), newPhone()]
    const { orderId } = await person.checkout(user.id, {
      agentCode: await agentCodeOf(person, agentPhone),
      receiver: { name: 'Sara Omar', phone: newPhone() },
      secondPhone,
    })
    const params = { id: String(orderId) }
    const spelled = `00${phone.slice(1)}`
    const { order } = await person.call(changeReceiver, {
      params,
      body: { receiver: { name: 'هدى', phone: spelled } },
    })
    const named = { receiver: { name: 'هدى', phone }, secondPhone }
    expect(order).toMatchObject(named)
    const warning = await eventually(async () => (await messagesOf(pilgrim))[0])
    expect(warning.text).toMatch(
      /^Amtiati: OD-\d+: هدى now collects your bag \(.+\)\. Not you\? Contact us at once\.$/,
    )

    await stack.control.replay(orderId, 'success')
    const awb = await issuedAwb(person, orderId)
    const label = await eventually(async () => {
      const { status, bytes } = await person.send('GET', readLabelPdf.path.replace(':awb', awb))
      return status === 200 ? readLabel(bytes) : undefined
    })
    expect(label.barcode).toBe(awb)
    const paid = await eventually(async () =>
      (await messagesOf(pilgrim)).find(({ text }) => text.includes('is paid')),
    )
    expect(paid.text).toContain('Collected by هدى.')
    // Filled up on the label alone.
    for (const text of ['هدى', 'Amtiati', phone, secondPhone]) expect(label.text).toContain(text)
    expect((await person.order(orderId)).bookings).toMatchObject([{ receiver: 'هدى' }])
    const late = await person.refusalOf(changeReceiver, { params, body: { receiver: null } })
    expect(late.problem.code).toBe('RECEIVER_PRINTED')

    const agent = newPerson(stack)
    const { id } = await agent.signInAgent(agentPhone)
    const { orders } = await agent.call(listAgentOrders, {
      params: { agentId: String(id) },
      query: { q: awb },
    })
    expect(orders).toMatchObject([named])
    const { url } = await person.call(createShare, { params })
    const shared = await newPerson(stack).call(readShare, { params: { token: url.split('/').at(-1) ?? '' } })
    const exported = (await exportOf(pilgrim)).orders
    expect(exported).toMatchObject([named])
    for (const secret of ['هدى', phone, secondPhone]) expect(JSON.stringify(shared)).not.toContain(secret)

    await stack.control.advance(awb, { to: 'at-branch' })
    // Messages of one moment may arrive in any order.
    const told = await eventually(async () => {
      const messages = await stack.control.messages(phone)
      return messages.length >= 2 ? messages : undefined
    })
    expect(told).toHaveLength(2)
    const texts = told.map(({ text }) => text).join('\n')
    expect(texts).toContain(`Maryam Al-Harbi named you to collect bag ${awb}`)
    expect(texts).toContain(`bag ${awb} is ready for you to collect`)
    for (const message of told) expect(message.text).not.toMatch(/\/|http|www|\+\d/)
    const ownAtBranch = await eventually(async () =>
      (await messagesOf(pilgrim)).find(({ text }) => text.includes('is ready')),
    )
    expect(ownAtBranch.text).toContain(`bag ${awb} is ready for هدى`)
  })
})

describe('a bag that was handed over', () => {
  const textOf = (pilgrim: Pilgrim, words: string) =>
    eventually(async () => (await messagesOf(pilgrim)).find(({ text }) => text.includes(words))?.text)

  it('is promised its days, and told to be late on the day after the last one, unless it has arrived', async () => {
    const [late, arrived] = await Promise.all([
      signedUpPilgrim(stack, { lang: 'en' }),
      signedUpPilgrim(stack, { lang: 'en' }),
    ])
    const orderId = await paidOrder(stack, late)
    const awb = await issuedAwb(late.person, orderId)
    await stack.control.advance(awb, { to: 'picked-up' })
    expect(await textOf(late, 'received bag')).toMatch(
      / Usually there between \w+ \d+ \w+ and \w+ \d+ \w+\.$/,
    )
    const arrivedAwb = await issuedAwb(arrived.person, await paidOrder(stack, arrived))
    await stack.control.advance(arrivedAwb, { to: 'at-branch' })
    expect(await textOf(arrived, 'is ready')).toMatch(/ Kept there until \w+ \d+ \w+\./)

    const { promises = { transitDays: {} } } = await late.person.order(orderId)
    const dueAt = lateFrom(promises, stack.now()) ?? 0
    await stack.passTime(dueAt - stack.now() - minute)
    expect((await messagesOf(late)).filter(({ text }) => text.includes('is late'))).toEqual([])
    await stack.passTime(2 * minute)
    const text = await textOf(late, 'is late')
    expect(text).toMatch(/^Amtiati: bag \d{12} is late: it was due on \w+ \d+ \w+\. We are following it\./)
    expect(text).toContain(`page of order OD-${orderId}.`)
    expect((await messagesOf(arrived)).filter((each) => each.text.includes('is late'))).toEqual([])
  })
})
