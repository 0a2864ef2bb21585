import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listClaims, openClaim } from '#shared/claims/claims.operations.ts'
import {
  approveAtDesk,
  cancelAtDesk,
  refundAtDesk,
  writeOffAtDesk,
} from '#shared/desk/actions/actions.operations.ts'
import { closeDeskClaim } from '#shared/desk/claims/desk-claims.operations.ts'
import { readWork } from '#shared/desk/work/work.operations.ts'
import { recordHandover, undoHandover } from '#shared/orders/handovers.operations.ts'
import {
  agentOrderStates,
  cancelOrder,
  listAgentOrders,
  readLabelPdf,
} from '#shared/orders/orders.operations.ts'
import type { AgentOrderState, Order } from '#shared/orders/orders.schemas.ts'
import { type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { minute } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { newDeskBrowser } from '#test/kit/gateway/desk.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import type { AdvanceWish } from '#test/kit/programs/control.ts'

/**
 * What an order's money and the way of its bags mean for everyone who asks: each case is brought about as people bring it
 * about, and then its owner, an agent, the courier and the database are asked. `npm run test:full` asks both databases.
 */

let stack: InProcessStack
let rows: Rows
beforeAll(async () => {
  stack = await ownStack({
    env: {
      MESSAGES_ENABLED: 'true',
      ENABLED_BOOKING_TYPES: 'FROM_MINA,TO_AND_FROM_MINA',
      // One agent signs in in every case.
      OTP_SENDS_PER_PHONE: '1000/1m',
    },
    limits: { messageQuietMs: 2_000 },
  })
  rows = openRows(stack)
})
afterAll(() => stack?.close())

/** An order of a pilgrim of its own. */
interface Case extends Pilgrim {
  readonly orderId: number
  /** In the order of travel; null for a bag without an airway bill. */
  readonly awbs: readonly (string | null)[]
}

// ---- How cases are brought about

/** A pilgrim with an order, which is not paid. */
async function ordered(type: Order['type'] = 'FROM_MINA', name?: string): Promise<Case> {
  const pilgrim = await signedUpPilgrim(stack, { lang: 'en', ...(name !== undefined && { name }) })
  const amount = type === 'TO_AND_FROM_MINA' ? 100 : 50
  const { orderId } = await pilgrim.person.checkout(pilgrim.user.id, { type, amount })
  return { ...pilgrim, orderId, awbs: type === 'TO_AND_FROM_MINA' ? [null, null] : [null] }
}

/** The same order, once each of its bags has its airway bill and its label. */
async function labelled(unlabelled: Case): Promise<Case> {
  const { bookings } = await until(unlabelled, ({ bookings }) =>
    bookings.every(({ awb, labelPending }) => awb !== null && !labelPending),
  )
  return { ...unlabelled, awbs: bookings.map(({ awb }) => awb) }
}

async function ready(type?: Order['type']): Promise<Case> {
  const one = await ordered(type)
  await stack.control.replay(one.orderId, 'success')
  return labelled(one)
}

const until = ({ person, orderId }: Case, isSo: (order: Order) => boolean): Promise<Order> =>
  eventually(async () => {
    const order = await person.order(orderId)
    if (!isSo(order)) throw new Error(JSON.stringify(order))
    return order
  })
const untilStatus = (one: Case, status: Order['status']) => until(one, (order) => order.status === status)

async function expired(): Promise<Case> {
  const one = await ordered()
  await stack.passTime(76 * minute)
  await untilStatus(one, 'EXPIRED')
  return one
}

async function newAgent(): Promise<{ readonly person: Person; readonly id: number }> {
  const person = newPerson(stack)
  const { id } = await person.signInAgent('+966500000101')
  return { person, id }
}

/** The last bag is the one from Mina, which an agent takes. */
const awbOf = ({ awbs }: Case): string => {
  const awb = awbs.at(-1)
  if (!awb) throw new Error('the bag has no airway bill')
  return awb
}

async function handedOver(type?: Order['type']): Promise<Case> {
  const one = await ready(type)
  await (await newAgent()).person.call(recordHandover, { body: { awb: awbOf(one) } })
  return one
}

async function travelling(to: NonNullable<AdvanceWish['to']>): Promise<Case> {
  const one = await handedOver()
  await scan(awbOf(one), to)
  return one
}

async function scan(awb: string, to: NonNullable<AdvanceWish['to']>): Promise<void> {
  const { pushes } = await stack.control.advance(awb, { to })
  expect(pushes.map(({ status }) => status)).toEqual([200])
}

const undo = async (one: Case) =>
  (await newAgent()).person.call(undoHandover, { params: { awb: awbOf(one) } })

const cancelled = async ({ person, orderId }: Case) =>
  person.call(cancelOrder, { params: { id: String(orderId) } })

/** The provider's dashboard: the whole rest of the payment goes back, or all of it but a riyal. */
const returnedByHand = ({ orderId }: Case, how?: 'part') =>
  stack.control.replay(orderId, 'refund', how === 'part' ? { callback: 'mismatch' } : {})

const reason = 'the owner asked for it'

/** A person of the desk who has just signed in, as money is moved only by those. */
async function atDesk(as: 'majed' | 'lulwa'): Promise<Person> {
  const browser = newDeskBrowser(stack)
  await browser.signIn({ as })
  return browser.person
}

type Asking = (person: Person) => Promise<number | undefined>
let wishes = 0

/** One person of the desk asks for it and another approves it, in turn: one alone may ask twenty times an hour. */
async function byTwo(ask: Asking): Promise<void> {
  wishes += 1
  const [asker, approver] = wishes % 2 === 0 ? (['majed', 'lulwa'] as const) : (['lulwa', 'majed'] as const)
  const id = await ask(await atDesk(asker))
  if (id === undefined) throw new Error('nobody was asked to approve it')
  await (await atDesk(approver)).call(approveAtDesk, { params: { id: String(id) }, body: {} })
}

const refundedAtDesk = ({ orderId }: Case): Promise<void> =>
  byTwo(async (person) => {
    const call = { params: { id: String(orderId) }, body: { reason } }
    return (await person.call(refundAtDesk, call)).approval?.approvalId
  })

async function writtenOff(one: Case): Promise<void> {
  const { transactionId = '' } = await one.person.order(one.orderId)
  await byTwo((person) =>
    // Once the provider has refused it.
    eventually(async () => {
      const { answer } = await person.attempt(writeOffAtDesk, {
        params: { id: String(one.orderId) },
        body: { reason, transaction: transactionId },
      })
      return answer?.approval?.approvalId
    }),
  )
}

/** Until the end of the test the provider answers no request for a refund of this order. */
async function refundsHeld({ orderId }: Case): Promise<() => Promise<void>> {
  const match = { operation: 'refund', order: orderId } as const
  const id = await stack.control.setFault('payment', { kind: 'hold', match })
  const release = () => stack.control.endFault(id).catch(() => undefined)
  onTestFinished(release)
  return release
}

/** While `work` runs the provider refuses each refund of this order. */
async function withRefusedRefunds({ orderId }: Case, work: () => Promise<unknown>): Promise<void> {
  const match = { operation: 'refund', order: orderId } as const
  const id = await stack.control.setFault('payment', { kind: 'status', status: 400, match })
  await work()
  await stack.control.endFault(id)
}

const labelHeld = async ({ orderId }: Case) => {
  const match = { operation: 'create-shipment', order: orderId } as const
  const id = await stack.control.setFault('shipping', { kind: 'hold', match })
  onTestFinished(() => stack.control.endFault(id))
}

const paidFor = ({ orderId }: Case) => stack.control.replay(orderId, 'success')
const paidWrongly = ({ orderId }: Case) => stack.control.replay(orderId, 'success', { callback: 'mismatch' })
const partReturned = (one: Case) => returnedByHand(one, 'part')
const isGoingBack = (one: Case) => until(one, ({ refund }) => refund !== undefined)
const hasReturned = (one: Case) => until(one, ({ refund }) => refund?.state === 'done')
const isBack = (one: Case) => untilStatus(one, 'REFUNDED')
const pickedUp = () => travelling('picked-up')

type Step = (one: Case) => Promise<unknown>

async function inTurn(one: Case, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await step(one)
}

/** The steps while the provider refuses each refund of the order. */
const refusing =
  (...steps: readonly Step[]): Step =>
  (one) =>
    withRefusedRefunds(one, () => inTurn(one, steps))

/** Brings an order into a case, step by step. */
const after =
  (begin: () => Promise<Case>, ...steps: readonly Step[]) =>
  async () => {
    const one = await begin()
    await inTurn(one, steps)
    return one
  }

// ---- What is asked

interface Stored {
  readonly payment: 'unpaid' | 'paid' | 'returned'
  readonly ended: null | 'expired' | 'cancelled'
  readonly isPaid: boolean
  readonly handedOver: 'none' | 'some' | 'all' | 'void'
  readonly carriage: readonly string[]
}

async function storedOf({ orderId }: Case): Promise<Stored> {
  const [order] = await rows.ask<{
    payment: Stored['payment']
    ended: Stored['ended']
    ended_at: number | null
    paid_at: number | null
    handed_over: Stored['handedOver']
  }>`SELECT payment, ended, ended_at, paid_at, handed_over FROM orders WHERE id = ${orderId}`
  if (order === undefined) throw new Error(`OD-${orderId} is not stored`)
  const bookings = await rows.ask<{
    carriage: string
  }>`SELECT carriage FROM bookings WHERE order_id = ${orderId} ORDER BY leg`
  expect(order.ended_at === null, 'an order has a time of its end exactly where it has ended').toBe(
    order.ended === null,
  )
  return {
    payment: order.payment,
    ended: order.ended,
    isPaid: order.paid_at !== null,
    handedOver: order.handed_over,
    carriage: bookings.map(({ carriage }) => carriage),
  }
}

/** What the owner gets for each bag: `none` where there is no airway bill to ask for. */
async function labelsOf({ person, awbs }: Case): Promise<readonly (number | 'none')[]> {
  const ask = async (awb: string) => (await person.send('GET', readLabelPdf.path.replace(':awb', awb))).status
  return Promise.all(awbs.map((awb) => (awb === null ? ('none' as const) : ask(awb))))
}

/** Whether a problem with each bag can be reported: that it is offered, and that it is taken. */
async function claimsOf({ person, orderId, awbs }: Case): Promise<readonly boolean[]> {
  const params = { id: String(orderId) }
  const { offer } = await person.call(listClaims, { params })
  const answers: boolean[] = []
  for (const [index, awb] of awbs.entries()) {
    const { code } = await person.attempt(openClaim, {
      params,
      body: { kind: 'other', text: 'A wheel of my bag is broken.', ...(awb !== null && { awb }) },
    })
    if (code !== undefined) expect(code).toBe('CLAIM_NOT_OFFERED')
    expect(offer.bags[index]?.kinds.includes('other') ?? false, 'what is offered is what is taken').toBe(
      code === undefined,
    )
    answers.push(code === undefined)
  }
  return answers
}

/** The list of its agent in which the order is; undefined: the agent never sees it. */
async function listOf({ orderId }: Case): Promise<AgentOrderState | undefined> {
  const { person, id } = await newAgent()
  const found: AgentOrderState[] = []
  for (const state of agentOrderStates) {
    const { orders } = await person.call(listAgentOrders, {
      params: { agentId: String(id) },
      query: { q: `OD-${orderId}`, state },
    })
    if (orders.some((order) => order.orderId === orderId)) found.push(state)
  }
  expect(found.length, 'an order is in one list at most').toBeLessThan(2)
  return found[0]
}

type AgentAnswer = 'accepts' | 'already received' | 'refuses' | 'none'

/** What an agent who scans each bag is answered. */
async function agentsAnswer({ awbs }: Case): Promise<readonly AgentAnswer[]> {
  const { person } = await newAgent()
  const words: Readonly<Record<string, AgentAnswer>> = {
    done: 'accepts',
    ALREADY_RECEIVED: 'already received',
    DO_NOT_ACCEPT: 'refuses',
  }
  const answers: AgentAnswer[] = []
  for (const awb of awbs) {
    if (awb === null) {
      answers.push('none')
      continue
    }
    const { code = 'done' } = await person.attempt(recordHandover, { body: { awb } })
    const word = words[code]
    if (word === undefined) throw new Error(`the agent was answered ${code}`)
    answers.push(word)
  }
  return answers
}

const textsTo = async ({ user }: Pilgrim): Promise<readonly string[]> =>
  (await stack.control.messages(user.phone ?? '')).map(({ text }) => text)

/** For how many bags of the order an arrival is in the outbox, each of which its owner gets unless the bag was collected first. */
async function arrivalsTold(one: Case): Promise<number> {
  const written =
    await rows.ask`SELECT id FROM messages WHERE order_id = ${one.orderId} AND kind = 'at-branch'`
  await eventually(async () => {
    const arrivals = (await textsTo(one)).filter((text) => text.includes('is ready for you'))
    const overtaken =
      await rows.ask`SELECT id FROM messages WHERE order_id = ${one.orderId} AND kind = 'at-branch' AND last_error = 'overtaken'`
    return arrivals.length + overtaken.length === written.length ? true : undefined
  })
  return written.length
}

/** Halalas of an order that the provider still has. */
async function keptOf(orderId: number): Promise<number> {
  const payments = await stack.control.paymentsOf(orderId)
  return payments
    .flatMap(({ transactions }) => transactions)
    .filter(({ kind, success, isVoided }) => kind === 'payment' && success && !isVoided)
    .reduce((sum, { amount, refundedAmount }) => sum + amount - refundedAmount, 0)
}

async function expectCancellation(one: Case): Promise<void> {
  const { person, orderId } = one
  expect(await person.order(orderId)).toMatchObject({ cancellable: true })
  const { status } = await person.order(orderId)
  const { answer, code } = await person.attempt(cancelOrder, { params: { id: String(orderId) } })
  expect(code, 'the owner may cancel').toBeUndefined()
  expect(answer?.order).toMatchObject({ cancellable: false, status: 'CANCELLED' })
  expect(await storedOf(one)).toMatchObject({ ended: 'cancelled' })
  if (status !== 'PAID') return
  expect(answer?.order.refund, 'money is on its way').toBeDefined()
  await untilStatus(one, 'REFUNDED')
  expect(await keptOf(orderId), 'the provider has none of the money').toBe(0)
  expect(await storedOf(one)).toMatchObject({ payment: 'returned', ended: 'cancelled', handedOver: 'void' })
}

async function expectNoCancellation(one: Case): Promise<void> {
  const { person, orderId } = one
  const before = [await storedOf(one), await person.order(orderId)]
  expect(before[1]).toMatchObject({ cancellable: false })
  const { status } = await person.send(cancelOrder.method, cancelOrder.path.replace(':id', String(orderId)), {
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  // Cancelling again changes nothing, and is no error.
  expect(status).toBe((before[0] as Stored).ended === 'cancelled' ? 200 : 409)
  expect([await storedOf(one), await person.order(orderId)]).toEqual(before)
}

// ---- The table

interface Row {
  readonly name: string
  /** Brings an order into the case. */
  readonly arrange: () => Promise<Case>
  readonly stored: Stored
  readonly wire: Partial<Pick<Order, 'status' | 'payable'>> & { readonly refund?: Partial<Order['refund']> }
  readonly cancel: boolean
  /** Of each bag, like the next ones. */
  readonly claim: readonly boolean[]
  readonly label: readonly (number | 'none')[]
  readonly agent: readonly AgentAnswer[]
  readonly list: AgentOrderState | undefined
  /** Of each bag that the courier brings to its branch. */
  readonly arrival: readonly boolean[]
}

const unpaid = { payment: 'unpaid', ended: null, isPaid: false, handedOver: 'none' } as const
const paid = { payment: 'paid', ended: null, isPaid: true, handedOver: 'none' } as const
const returned = { ...paid, payment: 'returned' } as const

/** Without an airway bill. */
const neverShipped = {
  claim: [false],
  label: ['none'],
  agent: ['none'],
  list: undefined,
  arrival: [false],
} as const
const withOwner = {
  stored: { ...paid, carriage: ['ready'] },
  cancel: true,
  claim: [false],
  label: [200],
  agent: ['accepts'],
  list: 'waiting',
  arrival: [true],
} as const
const onItsWay = {
  cancel: false,
  claim: [true],
  label: [200],
  agent: ['already received'],
  list: 'received',
  arrival: [true],
} as const
const withdrawn = {
  cancel: false,
  claim: [false],
  label: [410],
  agent: ['refuses'],
  list: 'refused',
  arrival: [false],
} as const

const travelsPaid = (carriage: string) => ({ ...paid, handedOver: 'all', carriage: [carriage] }) as const
const travelsReturned = (carriage: string) => ({ ...travelsPaid(carriage), payment: 'returned' }) as const

const table: readonly Row[] = [
  {
    name: 'never paid',
    arrange: () => ordered(),
    stored: { ...unpaid, carriage: ['none'] },
    wire: { status: 'PENDING_PAYMENT', payable: true },
    cancel: true,
    ...neverShipped,
  },
  {
    name: 'expired',
    arrange: expired,
    stored: { ...unpaid, ended: 'expired', carriage: ['none'] },
    wire: { status: 'EXPIRED', payable: false },
    cancel: false,
    ...neverShipped,
  },
  {
    name: 'cancelled unpaid',
    arrange: after(ordered, cancelled),
    stored: { ...unpaid, ended: 'cancelled', carriage: ['none'] },
    wire: { status: 'CANCELLED', payable: false },
    cancel: false,
    ...neverShipped,
  },
  {
    name: 'paid, and its airway bill is awaited',
    arrange: after(ordered, labelHeld, paidFor, (one) => untilStatus(one, 'PAID')),
    ...withOwner,
    stored: { ...paid, carriage: ['awaiting-label'] },
    wire: { status: 'PAID' },
    label: ['none'],
    agent: ['none'],
    arrival: [false],
  },
  {
    name: 'paid, with its owner',
    arrange: () => ready(),
    ...withOwner,
    wire: { status: 'PAID', payable: false },
  },
  {
    name: 'success after expiry',
    async arrange() {
      const one = await expired()
      await stack.control.replay(one.orderId, 'success')
      return labelled(one)
    },
    ...withOwner,
    wire: { status: 'PAID', payable: false },
  },
  {
    name: 'success after cancellation, and the refund is on its way',
    arrange: after(ordered, refundsHeld, cancelled, paidFor, isGoingBack),
    stored: { payment: 'paid', ended: 'cancelled', isPaid: false, handedOver: 'void', carriage: ['void'] },
    wire: { status: 'CANCELLED', refund: { state: 'pending', amount: 50, reason: 'cancelled' } },
    cancel: false,
    ...neverShipped,
  },
  {
    name: 'success after cancellation, and the money is back',
    arrange: after(ordered, cancelled, paidFor, isBack),
    stored: {
      payment: 'returned',
      ended: 'cancelled',
      isPaid: false,
      handedOver: 'void',
      carriage: ['void'],
    },
    wire: { status: 'REFUNDED', refund: { state: 'done', amount: 50, reason: 'cancelled' } },
    cancel: false,
    ...neverShipped,
  },
  {
    name: 'wrong amount captured, and on its way back',
    arrange: after(ordered, refundsHeld, paidWrongly, isGoingBack),
    stored: { ...unpaid, carriage: ['none'] },
    wire: {
      status: 'PENDING_PAYMENT',
      payable: false,
      refund: { state: 'pending', amount: 49, reason: 'wrong-amount' },
    },
    cancel: true,
    ...neverShipped,
  },
  {
    name: 'wrong amount captured, and back',
    arrange: after(ordered, paidWrongly, hasReturned),
    stored: { ...unpaid, carriage: ['none'] },
    wire: {
      status: 'PENDING_PAYMENT',
      payable: true,
      refund: { state: 'done', amount: 49, reason: 'wrong-amount' },
    },
    cancel: true,
    ...neverShipped,
  },
  {
    name: 'handed over to its agent',
    arrange: () => handedOver(),
    stored: travelsPaid('received'),
    wire: { status: 'PAID' },
    ...onItsWay,
  },
  {
    name: 'moving',
    arrange: () => travelling('picked-up'),
    stored: travelsPaid('moving'),
    wire: { status: 'PAID' },
    ...onItsWay,
  },
  {
    name: 'in trouble on its way',
    arrange: () => travelling('exception'),
    stored: travelsPaid('exception'),
    wire: { status: 'PAID' },
    ...onItsWay,
  },
  {
    name: 'at its branch',
    arrange: () => travelling('at-branch'),
    stored: travelsPaid('at-branch'),
    wire: { status: 'PAID' },
    ...onItsWay,
  },
  {
    name: 'collected',
    arrange: after(
      () => travelling('at-branch'),
      (one) => scan(awbOf(one), 'collected'),
    ),
    stored: travelsPaid('collected'),
    wire: { status: 'PAID' },
    ...onItsWay,
  },
  {
    name: 'refund ordered before the hand-over, and on its way',
    arrange: after(ready, refundsHeld, refundedAtDesk),
    stored: { ...paid, handedOver: 'void', carriage: ['void'] },
    wire: { status: 'PAID', refund: { state: 'pending', amount: 50, reason: 'operator' } },
    ...withdrawn,
  },
  {
    name: 'refund ordered before the hand-over, and back',
    arrange: after(ready, refundedAtDesk, isBack),
    stored: { ...returned, handedOver: 'void', carriage: ['void'] },
    wire: { status: 'REFUNDED', refund: { state: 'done', amount: 50, reason: 'operator' } },
    ...withdrawn,
  },
  {
    name: 'refund ordered while it travels',
    arrange: after(pickedUp, refundsHeld, refundedAtDesk),
    stored: travelsPaid('moving'),
    wire: { status: 'PAID', refund: { state: 'pending', amount: 50, reason: 'operator' } },
    ...onItsWay,
  },
  {
    name: 'returned while it travels, by the desk',
    arrange: after(pickedUp, refundedAtDesk, isBack),
    stored: travelsReturned('moving'),
    wire: { status: 'REFUNDED', refund: { state: 'done', amount: 50, reason: 'operator' } },
    ...onItsWay,
  },
  {
    name: 'returned while it travels, at the provider',
    arrange: after(pickedUp, returnedByHand, isBack),
    stored: travelsReturned('moving'),
    wire: { status: 'REFUNDED', refund: { state: 'done', amount: 50, reason: 'operator' } },
    ...onItsWay,
  },
  {
    name: 'returned before the hand-over, at the provider',
    arrange: after(ready, returnedByHand, isBack),
    stored: { ...returned, handedOver: 'void', carriage: ['void'] },
    wire: { status: 'REFUNDED', refund: { state: 'done', amount: 50, reason: 'operator' } },
    ...withdrawn,
  },
  {
    name: 'two bags, one handed over',
    arrange: () => handedOver('TO_AND_FROM_MINA'),
    stored: { ...paid, handedOver: 'some', carriage: ['ready', 'received'] },
    wire: { status: 'PAID' },
    cancel: false,
    claim: [false, true],
    label: [200, 200],
    agent: ['accepts', 'already received'],
    list: 'waiting',
    arrival: [true, true],
  },
  {
    name: 'two bags, one handed over, returned',
    arrange: after(() => handedOver('TO_AND_FROM_MINA'), refundedAtDesk, isBack),
    stored: { ...returned, handedOver: 'all', carriage: ['void', 'received'] },
    wire: { status: 'REFUNDED', refund: { state: 'done', amount: 100, reason: 'operator' } },
    cancel: false,
    claim: [false, true],
    label: [410, 200],
    agent: ['refuses', 'already received'],
    list: 'received',
    arrival: [false, true],
  },
  {
    name: 'returned, then the hand-over undone',
    arrange: after(handedOver, returnedByHand, isBack, undo),
    stored: { ...returned, handedOver: 'void', carriage: ['void'] },
    wire: { status: 'REFUNDED', refund: { state: 'done', amount: 50, reason: 'operator' } },
    ...withdrawn,
  },
  {
    name: 'cancelled, and the refund is on its way',
    arrange: after(ready, refundsHeld, cancelled),
    stored: { ...paid, ended: 'cancelled', handedOver: 'void', carriage: ['void'] },
    wire: { status: 'CANCELLED', refund: { state: 'pending', amount: 50, reason: 'cancelled' } },
    ...withdrawn,
  },
  {
    name: 'cancelled, and the money is back',
    arrange: after(ready, cancelled, isBack),
    stored: { ...returned, ended: 'cancelled', handedOver: 'void', carriage: ['void'] },
    wire: { status: 'REFUNDED', refund: { state: 'done', amount: 50, reason: 'cancelled' } },
    ...withdrawn,
  },
  {
    name: 'cancelled, then its refund written off',
    arrange: after(ready, refusing(cancelled, writtenOff)),
    stored: { ...paid, ended: 'cancelled', handedOver: 'void', carriage: ['void'] },
    wire: { status: 'CANCELLED', refund: { state: 'needs-help', amount: 50, reason: 'cancelled' } },
    ...withdrawn,
  },
  {
    name: 'refund written off, with its owner',
    arrange: after(ready, refusing(refundedAtDesk, writtenOff)),
    ...withOwner,
    wire: { status: 'PAID' },
  },
  {
    name: 'paid twice, one returned',
    arrange: after(ready, paidFor, hasReturned),
    ...withOwner,
    wire: { status: 'PAID', refund: { state: 'done', amount: 50, reason: 'second-payment' } },
  },
  {
    name: 'part returned',
    arrange: after(ready, partReturned, isGoingBack),
    ...withOwner,
    wire: { status: 'PAID', refund: { state: 'done', amount: 49, reason: 'operator' } },
  },
  {
    name: 'part returned, and the rest is on its way',
    arrange: after(ready, partReturned, isGoingBack, refundsHeld, refundedAtDesk),
    stored: { ...paid, handedOver: 'void', carriage: ['void'] },
    wire: { status: 'PAID', refund: { state: 'pending', reason: 'operator' } },
    ...withdrawn,
  },
  {
    name: 'refund written off, cancelled, and written off again',
    arrange: after(ready, refusing(refundedAtDesk, writtenOff, cancelled, writtenOff)),
    stored: { ...paid, ended: 'cancelled', handedOver: 'void', carriage: ['void'] },
    wire: { status: 'CANCELLED', refund: { state: 'needs-help', amount: 50, reason: 'cancelled' } },
    ...withdrawn,
  },
]

describe('an order', () => {
  it.each(table)('$name', async (row) => {
    const one = await row.arrange()
    expect(await storedOf(one), 'stored').toEqual(row.stored)
    const order = await one.person.order(one.orderId)
    expect(order, 'on the wire').toMatchObject(row.wire)
    expect('refund' in order, 'on the wire: whether money goes back').toBe('refund' in row.wire)
    expect(await labelsOf(one), 'label').toEqual(row.label)
    expect(await listOf(one), 'list of the agent').toBe(row.list)
    expect(await claimsOf(one), 'claim').toEqual(row.claim)
    if (!row.cancel) await expectNoCancellation(one)
    // A cancellation and a hand-over end each other.
    else await expectCancellation(await row.arrange())

    expect(await agentsAnswer(one), 'agent').toEqual(row.agent)
    for (const [index, awb] of one.awbs.entries()) {
      const carriage = (await storedOf(one)).carriage[index] ?? ''
      if (awb !== null && !['at-branch', 'collected'].includes(carriage)) await scan(awb, 'at-branch')
      if (carriage === 'void') expect((await storedOf(one)).carriage[index], 'void for good').toBe('void')
    }
    expect(await arrivalsTold(one), 'arrivals told').toBe(row.arrival.filter(Boolean).length)
  })
})

it.each([
  ['at the provider', (one: Case) => returnedByHand(one)],
  ['by the desk', refundedAtDesk],
] as const)(
  'a bag that travels gets its label, too, when its money went back before, %s',
  async (_, giveBack) => {
    const unlabelled = await ordered('FROM_MINA', 'Maryam TEST-LABEL-LATE')
    const match = { operation: 'read-shipment', order: unlabelled.orderId } as const
    const hold = await stack.control.setFault('shipping', { kind: 'hold', match })
    onTestFinished(() => stack.control.endFault(hold).catch(() => undefined))
    await stack.control.replay(unlabelled.orderId, 'success')
    const { bookings } = await until(unlabelled, ({ bookings }) => bookings[0]?.labelPending === true)
    const one = { ...unlabelled, awbs: bookings.map(({ awb }) => awb) }
    await scan(awbOf(one), 'picked-up')
    await giveBack(one)
    await untilStatus(one, 'REFUNDED')
    await stack.control.endFault(hold)
    await eventually(async () => ((await labelsOf(one))[0] === 200 ? true : undefined))
    expect(await storedOf(one)).toMatchObject({ payment: 'returned', carriage: ['moving'] })
  },
)

describe('an order whose refund is written off after its cancellation', () => {
  async function owed(): Promise<Case & { readonly before: number }> {
    const one = await ready()
    let before = 0
    await withRefusedRefunds(one, async () => {
      await cancelled(one)
      await eventually(
        async () => (await textsTo(one)).some((text) => text.includes('is cancelled')) || undefined,
      )
      before = (await textsTo(one)).length
      await writtenOff(one)
    })
    return { ...one, before }
  }

  it('is in a work list', async () => {
    const { orderId } = await owed()
    const lulwa = await atDesk('lulwa')
    const { ofOrder } = await lulwa.call(readWork, { query: { order: String(orderId) } })
    expect(ofOrder).toMatchObject([{ kind: 'refunds', orderId }])
  })

  it('is told to its owner', async () => {
    const { before, ...one } = await owed()
    await eventually(async () => (await textsTo(one)).length > before || undefined)
  })
})

describe('the ledger of an order', () => {
  /** Handed over, compensated with ten riyals, and given back to its owner. */
  async function compensated(): Promise<Case> {
    const one = await handedOver()
    const { claim } = await one.person.call(openClaim, {
      params: { id: String(one.orderId) },
      body: { kind: 'other', text: 'A wheel of my bag is broken.' },
    })
    await byTwo(async (person) => {
      const { approval } = await person.call(closeDeskClaim, {
        params: { claimId: String(claim.claimId) },
        body: {
          outcome: 'compensated',
          text: 'We pay for the wheel.',
          compensation: { halalas: 1_000, reference: 'C-1' },
        },
      })
      return approval?.approvalId
    })
    await undo(one)
    return one
  }

  it('after a compensation refuses its owner’s cancellation with the sum, and two of the desk cancel it', async () => {
    const one = await compensated()
    const params = { id: String(one.orderId) }
    expect(await one.person.order(one.orderId)).toMatchObject({ status: 'PAID', cancellable: false })
    const { status, problem } = await one.person.refusalOf(cancelOrder, { params })
    expect([status, problem.code]).toEqual([409, 'ORDER_NOT_CANCELLABLE'])
    expect(problem.message).toContain('10')
    expect(await keptOf(one.orderId)).toBe(5_000)
    const { approval } = await (await atDesk('lulwa')).call(cancelAtDesk, { params, body: { reason } })
    expect(approval, 'nobody cancels it alone').toBeDefined()
    await (await atDesk('majed')).call(approveAtDesk, {
      params: { id: String(approval?.approvalId) },
      body: {},
    })
    await untilStatus(one, 'REFUNDED')
    expect(await keptOf(one.orderId)).toBe(0)
  })

  it('returns the rest of a payment whose other part went back before', async () => {
    const one = await ready()
    await returnedByHand(one, 'part')
    await until(one, ({ refund }) => refund !== undefined)
    expect(await keptOf(one.orderId)).toBe(100)
    await refundedAtDesk(one)
    await untilStatus(one, 'REFUNDED')
    expect(await keptOf(one.orderId)).toBe(0)
    expect(await storedOf(one)).toMatchObject({ payment: 'returned', ended: null })
  })
})
