import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { listAgentOrders, listUserOrders, readLabel, readOrder } from '#shared/orders/orders.operations.ts'
import { renewPayment } from '#shared/payments/payments.operations.ts'
import {
  agentCodeOf,
  issuedAwb,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { newPerson, type Person, type Refusal } from '#test/kit/person.ts'
import { type Stack, startStack } from '#test/kit/stack.ts'

const phones = { assigned: '+966500000101', other: '+966500000102' }

let stack: Stack
let owner: Pilgrim
let neighbour: Pilgrim
let visitor: Person
let assigned: { person: Person; id: number }
let other: { person: Person; id: number }
let orderId: number
let unpaidId: number
let reference: string
let awb: string

/** Numbers nobody has. */
const missing = { order: 999_999, awb: '999999999999', reference: 'OD999999-NONE-0000' }

beforeAll(async () => {
  stack = await startStack()
  visitor = newPerson(stack)
  ;[owner, neighbour] = await Promise.all([
    signedUpPilgrim(stack, { name: 'Fatimah Noor' }),
    signedUpPilgrim(stack, { name: 'Bilal Khan' }),
  ])
  const agents = await Promise.all(
    Object.values(phones).map(async (phone) => {
      const person = newPerson(stack)
      return { person, id: (await person.signInAgent(phone)).id }
    }),
  )
  const [first, second] = agents
  if (first === undefined || second === undefined) throw new Error('two agents sign in')
  assigned = first
  other = second

  const agentCode = await agentCodeOf(owner.person, phones.assigned)
  orderId = await paidOrder(stack, owner, { agentCode })
  awb = await issuedAwb(owner.person, orderId)
  const [payment] = await stack.control.paymentsOf(orderId)
  reference = payment?.reference ?? ''
  unpaidId = (await owner.person.checkout(owner.user.id, { agentCode })).orderId
})
afterAll(() => stack?.close())

/** Everything a caller can see of a refusal, but the number of the request. */
const seen = ({ status, problem }: Refusal) => ({ status, ...problem, requestId: '' })

describe('an order', () => {
  it('is read by its owner, by number and by merchant reference', async () => {
    const byNumber = await owner.person.order(orderId)
    expect(byNumber).toMatchObject({ orderId, status: 'PAID', bookings: [{ awb }] })
    expect(byNumber.user).toBeUndefined()
    expect(await owner.person.order(reference)).toEqual(byNumber)
  })

  it('is read by the assigned agent, with the customer’s name and phone', async () => {
    const { order } = await assigned.person.call(readOrder, { params: { id: String(orderId) } })
    expect(order.user).toEqual({ name: 'Fatimah Noor', phone: owner.user.phone })
  })

  it.each([
    ['another user', () => neighbour.person],
    ['another agent', () => other.person],
  ])('is for %s as if it did not exist', async (_, who) => {
    for (const [theirs, nobodys] of [
      [String(orderId), String(missing.order)],
      [String(unpaidId), String(missing.order)],
      [reference, missing.reference],
    ] as const) {
      const existing = await who().refusalOf(readOrder, { params: { id: theirs } })
      const absent = await who().refusalOf(readOrder, { params: { id: nobodys } })
      expect(existing.status).toBe(404)
      expect(seen(existing)).toEqual(seen(absent))
    }
  })

  it('tells a visitor nothing but to sign in, whether it exists or not', async () => {
    const existing = await visitor.refusalOf(readOrder, { params: { id: String(orderId) } })
    const absent = await visitor.refusalOf(readOrder, { params: { id: String(missing.order) } })
    expect(existing.status).toBe(401)
    expect(seen(existing)).toEqual(seen(absent))
  })
})

describe('a label', () => {
  it('is read by its owner and by the assigned agent', async () => {
    const { awbFile } = await owner.person.call(readLabel, { params: { awb } })
    expect((await assigned.person.call(readLabel, { params: { awb } })).awbFile).toBe(awbFile)
    expect((await assigned.person.send('GET', `/api/orders/barcode/${awb}.pdf`)).status).toBe(200)
  })

  it.each([
    ['another user', () => neighbour.person, 404],
    ['another agent', () => other.person, 404],
    ['a visitor', () => visitor, 401],
  ])('is for %s as if it did not exist', async (_, who, status) => {
    const existing = await who().refusalOf(readLabel, { params: { awb } })
    const absent = await who().refusalOf(readLabel, { params: { awb: missing.awb } })
    expect(existing.status).toBe(status)
    expect(seen(existing)).toEqual(seen(absent))
    expect((await who().send('GET', `/api/orders/barcode/${awb}.pdf`)).status).toBe(status)
  })
})

describe('lists', () => {
  it('hold one’s own orders, newest first, and nobody else’s', async () => {
    expect((await owner.person.orders(owner.user.id)).map((order) => order.orderId)).toEqual([
      unpaidId,
      orderId,
    ])
    expect(await neighbour.person.orders(neighbour.user.id)).toEqual([])
  })

  it('hold for an agent the paid orders assigned to them, with the customer', async () => {
    const { orders } = await assigned.person.call(listAgentOrders, {
      params: { agentId: String(assigned.id) },
    })
    expect(orders.map((order) => order.orderId)).toEqual([orderId])
    expect(orders[0]?.user).toEqual({ name: 'Fatimah Noor', phone: owner.user.phone })
    const others = await other.person.call(listAgentOrders, { params: { agentId: String(other.id) } })
    expect(others.orders).toEqual([])
  })

  it('of others are as if they did not exist', async () => {
    const theirs = await neighbour.person.refusalOf(listUserOrders, {
      params: { userId: String(owner.user.id) },
    })
    const nobodys = await neighbour.person.refusalOf(listUserOrders, { params: { userId: '999999' } })
    expect(theirs.status).toBe(404)
    expect(seen(theirs)).toEqual(seen(nobodys))
    const agents = await other.person.refusalOf(listAgentOrders, { params: { agentId: String(assigned.id) } })
    const absent = await other.person.refusalOf(listAgentOrders, { params: { agentId: '999999' } })
    expect(agents.status).toBe(404)
    expect(seen(agents)).toEqual(seen(absent))
  })

  it('are closed to the other role and to visitors', async () => {
    const asUser = { params: { userId: String(owner.user.id) } }
    const asAgent = { params: { agentId: String(assigned.id) } }
    expect((await assigned.person.refusalOf(listUserOrders, asUser)).problem.code).toBe('WRONG_ROLE')
    expect((await owner.person.refusalOf(listAgentOrders, asAgent)).problem.code).toBe('WRONG_ROLE')
    expect((await visitor.refusalOf(listUserOrders, asUser)).problem.code).toBe('NOT_SIGNED_IN')
    expect((await visitor.refusalOf(listAgentOrders, asAgent)).problem.code).toBe('NOT_SIGNED_IN')
  })

  it('come in pages that miss nothing and repeat nothing', async () => {
    const { person, user } = await signedUpPilgrim(stack)
    const placed: number[] = []
    for (let count = 0; count < 5; count += 1) placed.push((await person.checkout(user.id)).orderId)
    const pages: number[][] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await person.call(listUserOrders, {
        params: { userId: String(user.id) },
        query: { limit: '2', ...(cursor ? { cursor } : {}) },
      })
      pages.push(page.orders.map((order) => order.orderId))
      cursor = page.nextCursor
    }
    expect(pages).toEqual([placed.slice(3).reverse(), placed.slice(1, 3).reverse(), placed.slice(0, 1)])
  })
})

describe('money of others', () => {
  it('cannot be started or renewed', async () => {
    const theirs = await neighbour.person.refusalOf(renewPayment, { params: { id: String(unpaidId) } })
    const nobodys = await neighbour.person.refusalOf(renewPayment, { params: { id: String(missing.order) } })
    expect(theirs.status).toBe(404)
    expect(seen(theirs)).toEqual(seen(nobodys))
    expect((await visitor.refusalOf(renewPayment, { params: { id: String(unpaidId) } })).status).toBe(401)
    expect((await assigned.person.refusalOf(renewPayment, { params: { id: String(unpaidId) } })).status).toBe(
      403,
    )
  })

  it('cannot be spent in the name of another account', async () => {
    const [agent] = await owner.person.agents()
    const [center] = await owner.person.centers()
    const body = {
      userId: owner.user.id,
      type: 'FROM_MINA',
      noOfPackages: 1,
      agentCode: agent?.id ?? '',
      centerCode: center?.code ?? '',
      amount: 50,
    } as const
    const { status, problem } = await neighbour.person.refusalOf(checkout, { body })
    expect([status, problem.code]).toEqual([422, 'CHECKOUT_REFUSED'])
    expect(problem.fields?.map(({ field }) => field)).toEqual(['userId'])
    expect((await visitor.refusalOf(checkout, { body })).status).toBe(401)
    expect((await assigned.person.refusalOf(checkout, { body })).status).toBe(403)
  })
})
