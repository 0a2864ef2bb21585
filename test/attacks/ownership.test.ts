import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '#server/platform/secrets.ts'
import { operations } from '#shared/operations.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import {
  agentCodeOf,
  issuedAwb,
  newPhone,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { callbackOf, successOn } from '#test/kit/callbacks.ts'
import type { PaymentView } from '#test/kit/control.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { type Answer, newPerson, type Person } from '#test/kit/person.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import { outcomeOf, seenIn } from '#test/kit/sign-in.ts'
import type { Stack } from '#test/kit/stack.ts'
import { rfcReader } from '#test/kit/web-push.ts'

/**
 * Who may do what, as one table: every operation × {visitor, owner, other user, assigned agent, other agent} ×
 * {another user's, none}. The answer about another user's data must be the same as about data that does not exist.
 */

const callers = ['visitor', 'owner', 'other user', 'assigned agent', 'other agent'] as const
type Who = (typeof callers)[number]

interface Request {
  readonly path?: string
  readonly body?: unknown
}

interface Row {
  /** The call about data of the owner. */
  readonly theirs: (who: Who) => Request
  /** The same call about data that does not exist; absent for calls that concern only the caller. */
  readonly nonexistent?: (who: Who) => Request
  /** Status, and code of the problem where there is one, of the call about data of the owner. */
  readonly answers: Readonly<Record<Who, string>>
  /** The answer to a caller with access about data that does not exist. */
  readonly absent?: string
  /** The call ends the caller's session or account, so it is made by extra people. */
  readonly byOthers?: true
}

const same = (answer: string): Record<Who, string> => ({
  visitor: answer,
  owner: answer,
  'other user': answer,
  'assigned agent': answer,
  'other agent': answer,
})
const signedIn = { ...same('200'), visitor: '401 NOT_SIGNED_IN' }
const users = (owner: string, other: string): Record<Who, string> => ({
  visitor: '401 NOT_SIGNED_IN',
  owner,
  'other user': other,
  'assigned agent': '403 WRONG_ROLE',
  'other agent': '403 WRONG_ROLE',
})
const agents = (assigned: string, other: string): Record<Who, string> => ({
  visitor: '401 NOT_SIGNED_IN',
  owner: '403 WRONG_ROLE',
  'other user': '403 WRONG_ROLE',
  'assigned agent': assigned,
  'other agent': other,
})
const readers = (missing: string): Record<Who, string> => ({
  visitor: '401 NOT_SIGNED_IN',
  owner: '200',
  'other user': missing,
  'assigned agent': '200',
  'other agent': missing,
})

/** The first agents of the directory sign in; for the others codes are only requested. */
const agentPhones = { assigned: '+966500000101', other: '+966500000102' }
const directoryPhone: Readonly<Record<Who, string>> = {
  visitor: '+966500000111',
  owner: '+966500000112',
  'other user': '+966500000113',
  'assigned agent': '+966500000114',
  'other agent': '+966500000115',
}
/** Each signs in once. */
const spareAgents = [4, 5, 6, 7, 8, 9].map((last) => `+96650000010${last}`)
/** Users who have signed in before, but not in the last minute. */
const knownPhone: Readonly<Record<Who, string>> = {
  visitor: '+966561000001',
  owner: '+966561000002',
  'other user': '+966561000003',
  'assigned agent': '+966561000004',
  'other agent': '+966561000005',
}

/** Other sessions of the owner, one for each caller who tries to end it. */
const ownersSession: Readonly<Record<Who, string>> = {
  visitor: crypto.randomUUID(),
  owner: crypto.randomUUID(),
  'other user': crypto.randomUUID(),
  'assigned agent': crypto.randomUUID(),
  'other agent': crypto.randomUUID(),
}

/** Numbers that do not exist. */
const missing = { order: '999999', awb: '999999999999', user: 999_999 }

let stack: Stack
let rows: Rows
let owner: Pilgrim
let neighbour: Pilgrim
let assignedId: number
let otherId: number
let cast: Readonly<Record<Who, Person>>
let orderId: number
let unpaidId: number
let droppedId: number
let reference: string
let payment: PaymentView
let awb: string
/** Of a link to the unpaid order: the calls about links end those of the paid one. */
const shareToken = 'B'.repeat(43)
let agentCode: string
let centerCode: string
let centerCity: string

beforeAll(async () => {
  stack = await ownStack()
  rows = openRows(stack)
  ;[owner, neighbour] = await Promise.all([
    signedUpPilgrim(stack, { name: 'Fatimah Noor' }),
    signedUpPilgrim(stack, { name: 'Bilal Khan' }),
  ])
  const [assigned, other] = [newPerson(stack), newPerson(stack)]
  assignedId = (await assigned.signInAgent(agentPhones.assigned)).id
  otherId = (await other.signInAgent(agentPhones.other)).id
  cast = {
    visitor: newPerson(stack),
    owner: owner.person,
    'other user': neighbour.person,
    'assigned agent': assigned,
    'other agent': other,
  }
  agentCode = await agentCodeOf(owner.person, agentPhones.assigned)
  const [center] = await owner.person.centers()
  centerCode = center?.code ?? ''
  centerCity = center?.city ?? ''
  orderId = await paidOrder(stack, owner, { agentCode })
  awb = await issuedAwb(owner.person, orderId)
  const [paid] = await stack.control.paymentsOf(orderId)
  if (paid?.reference == null) throw new Error('the paid order has a payment')
  payment = paid
  reference = paid.reference
  unpaidId = (await owner.person.checkout(owner.user.id, { agentCode })).orderId
  droppedId = (await owner.person.checkout(owner.user.id, { agentCode })).orderId
  await rows.read(sql`
    insert into order_shares (order_id, token_hash, created_at) values (${unpaidId}, ${hashOf(shareToken)}, 1)`)
  for (const phone of Object.values(knownPhone))
    await rows.read(sql`insert into users (phone, name, created_at) values (${phone}, 'Known', 1)`)
  const now = Date.now()
  for (const id of Object.values(ownersSession))
    await rows.read(sql`
      insert into sessions (id, token_hash, role, subject_id, created_at, last_seen_at, idle_until, ends_at, device)
      values (${id}, ${`no-token-${id}`}, 'user', ${owner.user.id}, ${now}, ${now}, ${now + 600_000}, ${now + 600_000}, '')`)
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

const checkoutOf = (userId: number) => ({
  userId,
  type: 'FROM_MINA',
  noOfPackages: 1,
  agentCode,
  centerCode,
  amount: 50,
})
const paymentOrderOf = (userId: number) => {
  const { amount, userId: _, ...bookingDetails } = checkoutOf(userId)
  return { userId, amount, bookingDetails }
}

const table: Readonly<Record<keyof typeof operations, Row>> = {
  requestOtp: {
    theirs: (who) => ({ body: { phone: knownPhone[who] } }),
    nonexistent: () => ({ body: { phone: newPhone() } }),
    answers: same('200'),
    absent: '200',
  },
  verifyOtp: {
    theirs: (who) => ({ body: { phone: knownPhone[who], code: '0000' } }),
    nonexistent: () => ({ body: { phone: newPhone(), code: '0000' } }),
    answers: same('400 CODE_INVALID'),
  },
  sendAgentOtp: {
    theirs: (who) => ({ body: { phone: directoryPhone[who] } }),
    nonexistent: () => ({ body: { phone: newPhone() } }),
    answers: same('200'),
    absent: '200',
  },
  verifyAgentOtp: {
    theirs: (who) => ({ body: { phone: directoryPhone[who], code: '0000' } }),
    nonexistent: () => ({ body: { phone: newPhone(), code: '0000' } }),
    answers: same('400 CODE_INVALID'),
  },
  readUserSession: {
    theirs: () => ({}),
    answers: {
      visitor: '401 NOT_SIGNED_IN',
      owner: '200',
      'other user': '200',
      'assigned agent': '401 NOT_SIGNED_IN',
      'other agent': '401 NOT_SIGNED_IN',
    },
  },
  updateUser: { theirs: () => ({ body: { name: 'Fatimah Noor' } }), answers: users('200', '200') },
  readAgentSession: {
    theirs: () => ({}),
    answers: {
      visitor: '401 NOT_SIGNED_IN',
      owner: '401 NOT_SIGNED_IN',
      'other user': '401 NOT_SIGNED_IN',
      'assigned agent': '200',
      'other agent': '200',
    },
  },
  logout: { theirs: () => ({ body: {} }), answers: same('200'), byOthers: true },
  logoutEverywhere: { theirs: () => ({ body: {} }), answers: signedIn, byOthers: true },
  listSessions: { theirs: () => ({}), answers: signedIn },
  endSession: {
    theirs: (who) => ({ path: `/api/auth/sessions/${ownersSession[who]}` }),
    nonexistent: () => ({ path: `/api/auth/sessions/${crypto.randomUUID()}` }),
    answers: {
      visitor: '401 NOT_SIGNED_IN',
      owner: '200',
      'other user': '404 SESSION_NOT_FOUND',
      'assigned agent': '404 SESSION_NOT_FOUND',
      'other agent': '404 SESSION_NOT_FOUND',
    },
    absent: '404 SESSION_NOT_FOUND',
  },
  exportUser: { theirs: () => ({}), answers: users('200', '200') },
  deleteUser: { theirs: () => ({}), answers: users('200', '200'), byOthers: true },
  sendReport: { theirs: () => ({ body: { 'csp-report': {} } }), answers: same('204') },
  listCenters: { theirs: () => ({}), answers: same('200') },
  listAgents: { theirs: () => ({}), answers: same('200') },
  readConfig: { theirs: () => ({}), answers: same('200') },
  checkout: {
    theirs: () => ({ body: checkoutOf(owner.user.id) }),
    nonexistent: () => ({ body: checkoutOf(missing.user) }),
    answers: users('200', '422 CHECKOUT_REFUSED'),
    absent: '422 CHECKOUT_REFUSED',
  },
  createPaymentOrder: {
    theirs: () => ({ body: paymentOrderOf(owner.user.id) }),
    nonexistent: () => ({ body: paymentOrderOf(missing.user) }),
    answers: users('200', '422 CHECKOUT_REFUSED'),
    absent: '422 CHECKOUT_REFUSED',
  },
  renewPayment: {
    theirs: () => ({ path: `/api/orders/${unpaidId}/payment`, body: {} }),
    nonexistent: () => ({ path: `/api/orders/${missing.order}/payment`, body: {} }),
    answers: users('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  cancelOrder: {
    theirs: () => ({ path: `/api/orders/${droppedId}/cancel`, body: {} }),
    nonexistent: () => ({ path: `/api/orders/${missing.order}/cancel`, body: {} }),
    answers: users('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  receiveCallback: {
    theirs: () => forged(payment),
    nonexistent: () => forged({ ...payment, intentionOrderId: 1, reference: 'OD999999-NONE-0000' }),
    answers: same('401 CALLBACK_REFUSED'),
  },
  receiveMessageStatus: {
    theirs: () => ({ body: { MessageSid: 'SM1', MessageStatus: 'delivered' } }),
    nonexistent: () => ({ body: { MessageSid: 'SM2', MessageStatus: 'delivered' } }),
    // JSON is refused before anything is read; server/features/messages/messages.test.ts forges the form.
    answers: same('415 UNSUPPORTED_MEDIA_TYPE'),
  },
  receiveScans: {
    theirs: () => ({
      body: [{ AWB: awb, Scans: [{ ScanType: 'DL', ScanDateTime: '2026-01-10T11:00:00' }] }],
    }),
    nonexistent: () => ({ body: [{ AWB: missing.awb }] }),
    answers: same('401 TRACKING_CALLBACK_REFUSED'),
  },
  readOrder: {
    theirs: () => ({ path: `/api/orders/${orderId}` }),
    nonexistent: () => ({ path: `/api/orders/${missing.order}` }),
    answers: readers('404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  listUserOrders: {
    theirs: () => ({ path: `/api/orders/user/${owner.user.id}` }),
    nonexistent: () => ({ path: `/api/orders/user/${missing.user}` }),
    answers: users('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  listAgentOrders: {
    theirs: () => ({ path: `/api/orders/agent/${assignedId}` }),
    nonexistent: () => ({ path: `/api/orders/agent/${missing.user}` }),
    answers: {
      visitor: '401 NOT_SIGNED_IN',
      owner: '403 WRONG_ROLE',
      'other user': '403 WRONG_ROLE',
      'assigned agent': '200',
      'other agent': '404 ORDER_NOT_FOUND',
    },
    absent: '404 ORDER_NOT_FOUND',
  },
  readLabel: {
    theirs: () => ({ path: `/api/orders/barcode/${awb}` }),
    nonexistent: () => ({ path: `/api/orders/barcode/${missing.awb}` }),
    answers: readers('404 LABEL_NOT_FOUND'),
    absent: '404 LABEL_NOT_FOUND',
  },
  readLabelPdf: {
    theirs: () => ({ path: `/api/orders/barcode/${awb}.pdf` }),
    nonexistent: () => ({ path: `/api/orders/barcode/${missing.awb}.pdf` }),
    answers: readers('404 LABEL_NOT_FOUND'),
    absent: '404 LABEL_NOT_FOUND',
  },
  readPush: { theirs: () => ({}), answers: users('200', '200') },
  // The stack has no keys, and no push service; server/features/push/push.test.ts attacks with both.
  subscribePush: {
    theirs: () => ({
      body: {
        endpoint: 'https://fcm.googleapis.com/fcm/send/x',
        p256dh: rfcReader.p256dh,
        auth: 'A'.repeat(22),
      },
    }),
    answers: users('404 PUSH_NOT_OFFERED', '404 PUSH_NOT_OFFERED'),
  },
  unsubscribePush: {
    theirs: () => ({ body: {} }),
    answers: users('404 PUSH_NOT_OFFERED', '404 PUSH_NOT_OFFERED'),
  },
  createShare: {
    theirs: () => ({ path: `/api/orders/${orderId}/share`, body: {} }),
    nonexistent: () => ({ path: `/api/orders/${missing.order}/share`, body: {} }),
    answers: users('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  readOwnShare: {
    theirs: () => ({ path: `/api/orders/${orderId}/share` }),
    nonexistent: () => ({ path: `/api/orders/${missing.order}/share` }),
    answers: users('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  endShare: {
    theirs: () => ({ path: `/api/orders/${orderId}/share`, body: {} }),
    nonexistent: () => ({ path: `/api/orders/${missing.order}/share`, body: {} }),
    answers: users('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  readShare: {
    theirs: () => ({ path: `/api/track/${shareToken}` }),
    nonexistent: () => ({ path: `/api/track/${'A'.repeat(43)}` }),
    answers: same('200'),
    absent: '404 SHARE_NOT_FOUND',
  },
  recordHandover: {
    theirs: () => ({ body: { awb } }),
    nonexistent: () => ({ body: { awb: missing.awb } }),
    answers: agents('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  // After the row above, so that there is a hand-over to undo.
  undoHandover: {
    theirs: () => ({ path: `/api/handovers/${awb}` }),
    nonexistent: () => ({ path: `/api/handovers/${missing.awb}` }),
    answers: agents('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  // Only that it is another agent's, and ten times a minute.
  findForeignBag: {
    theirs: () => ({ path: `/api/handovers/${awb}` }),
    nonexistent: () => ({ path: `/api/handovers/${missing.awb}` }),
    answers: agents('404 ORDER_NOT_FOUND', '200'),
    absent: '404 ORDER_NOT_FOUND',
  },
  readReceiptPdf: {
    theirs: () => ({ path: `/api/orders/${orderId}/receipt.pdf` }),
    nonexistent: () => ({ path: `/api/orders/${missing.order}/receipt.pdf` }),
    answers: users('200', '404 ORDER_NOT_FOUND'),
    absent: '404 ORDER_NOT_FOUND',
  },
  readDemoOrder: {
    theirs: () => ({ path: `/api/demo/orders/${orderId}` }),
    nonexistent: () => ({ path: `/api/demo/orders/${missing.order}` }),
    answers: same('401 DEMO_KEY_REFUSED'),
  },
  resetDemo: { theirs: () => ({ body: {} }), answers: same('401 DEMO_KEY_REFUSED') },
  saveDemoSnapshot: {
    theirs: () => ({ path: '/api/demo/snapshots/mine', body: {} }),
    nonexistent: () => ({ path: '/api/demo/snapshots/none', body: {} }),
    answers: same('401 DEMO_KEY_REFUSED'),
  },
  restoreDemoSnapshot: {
    theirs: () => ({ path: '/api/demo/snapshots/mine/restore', body: {} }),
    nonexistent: () => ({ path: '/api/demo/snapshots/none/restore', body: {} }),
    answers: same('401 DEMO_KEY_REFUSED'),
  },
  moveDemoClock: { theirs: () => ({ body: { advanceMs: 1 } }), answers: same('401 DEMO_KEY_REFUSED') },
}

/** A callback that reports a payment as successful, signed without the secret. */
function forged(about: PaymentView): Request {
  const { path, body } = callbackOf(successOn(about, { id: 7_000_000_000_001 }), '0'.repeat(128))
  return { path, body: JSON.parse(body) }
}

function send(person: Person, operation: OperationShape, { path, body }: Request): Promise<Answer> {
  return person.send(operation.method, path ?? operation.path, { ...(body !== undefined && { body }) })
}

/** People whose session or account ends with one call. */
async function spareFor(who: Who): Promise<Person> {
  if (who === 'visitor') return newPerson(stack)
  if (!who.endsWith('agent')) return (await signedUpPilgrim(stack)).person
  const person = newPerson(stack)
  await person.signInAgent(spareAgents.shift() ?? '')
  return person
}

describe('the table', () => {
  it('has a row for every operation of the contract', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(operations).sort())
  })

  it('has both cases, existing and not, for every operation with a parameter in its path', () => {
    for (const [name, { path }] of Object.entries<OperationShape>(operations))
      if (path.includes(':')) expect(table[name as keyof typeof operations].nonexistent, name).toBeDefined()
  })
})

describe.each(Object.entries<Row>(table))('%s', (name, row) => {
  const operation: OperationShape = operations[name as keyof typeof operations]

  it.each(callers)('answers a caller who is the %s', async (who) => {
    const person = row.byOthers ? await spareFor(who) : cast[who]
    const before = await rows.snapshot()
    const theirs = await send(person, operation, row.theirs(who))
    expect(outcomeOf(theirs)).toBe(row.answers[who])
    if (theirs.status >= 300) expect(await rows.snapshot()).toEqual(before)
    if (!row.nonexistent) return

    const absent = await send(person, operation, row.nonexistent(who))
    expect(outcomeOf(absent)).toBe(theirs.status === 200 ? row.absent : row.answers[who])
    const isForMe = theirs.status === 200 && absent.status !== 200
    if (!isForMe) expect(seenIn(theirs)).toEqual(seenIn(absent))
  })
})

describe('what belongs to the owner', () => {
  it.each([
    ['merchant reference', () => reference, 'OD999999-NONE-0000'],
    ['number of an unpaid order', () => String(unpaidId), missing.order],
  ])('is answered to others as if it did not exist, by its %s', async (_, theirs, nonexistent) => {
    for (const who of ['other user', 'other agent', 'visitor'] as const) {
      const existing = await send(cast[who], readOrder, { path: `/api/orders/${theirs()}` })
      const absent = await send(cast[who], readOrder, { path: `/api/orders/${nonexistent}` })
      expect(existing.status).toBe(who === 'visitor' ? 401 : 404)
      expect(seenIn(existing)).toEqual(seenIn(absent))
    }
  })

  it('is unchanged by all these calls of others', async () => {
    expect((await owner.person.order(orderId)).status).toBe('PAID')
    expect((await owner.person.order(unpaidId)).status).toBe('PENDING_PAYMENT')
    expect(await neighbour.person.orders(neighbour.user.id)).toEqual([])
    const kept = await rows.read(
      sql<{ id: string }>`select id from sessions where token_hash like 'no-token-%'`,
    )
    expect(kept.map(({ id }) => id).sort()).toEqual(
      Object.values(ownersSession)
        .filter((id) => id !== ownersSession.owner)
        .sort(),
    )
    const [strangers] = await rows.read(
      sql<{ count: number | string }>`select count(*) as count from orders where user_id <> ${owner.user.id}`,
    )
    expect(Number(strangers?.count)).toBe(0)
  })
})

describe('the search of an agent', () => {
  const searchOf = (who: Who, agentId: number, query: Readonly<Record<string, string>>) =>
    cast[who].send('GET', `/api/orders/agent/${agentId}?${new URLSearchParams(query)}`)
  const whatIsTheirs = (): Readonly<Record<string, string>>[] =>
    [
      {},
      { q: String(orderId) },
      { q: `OD-${orderId}` },
      { q: awb },
      { q: awb.slice(-4) },
      { q: owner.user.phone ?? '' },
      { q: (owner.user.phone ?? '').replace('+966', '0') },
      { q: 'Fatimah Noor' },
      { q: 'a' },
      { q: '%' },
      { q: '_' },
      { city: centerCity },
      { cursor: String(orderId + 1) },
      { cursor: String(orderId - 1), order: 'oldest' },
      { state: 'waiting' },
      { state: 'refused' },
    ].filter(({ cursor }) => cursor !== '0')

  it('finds the assigned orders of its agent', async () => {
    for (const query of whatIsTheirs()) {
      const { status, json } = await searchOf('assigned agent', assignedId, query)
      expect(status).toBe(200)
      const isFound = !['%', '_'].includes(query.q ?? '') && query.state !== 'refused'
      expect(numbersIn(json), JSON.stringify(query)).toEqual(isFound ? [orderId] : [])
      expect(json).toMatchObject({ counts: { waiting: 1, received: 0, refused: 0 } })
    }
  })

  it('finds and counts no order of another agent, with any search text', async () => {
    for (const query of whatIsTheirs()) {
      const { status, json } = await searchOf('other agent', otherId, query)
      expect(status).toBe(200)
      expect(json, JSON.stringify(query)).toEqual({
        success: true,
        orders: [],
        counts: { waiting: 0, received: 0, refused: 0 },
        nextCursor: null,
      })
    }
  })

  it('in the list of another agent is refused as in a list that does not exist', async () => {
    for (const query of whatIsTheirs()) {
      const theirs = await searchOf('other agent', assignedId, query)
      expect(outcomeOf(theirs), JSON.stringify(query)).toBe('404 ORDER_NOT_FOUND')
      expect(seenIn(theirs)).toEqual(seenIn(await searchOf('other agent', missing.user, query)))
    }
  })

  function numbersIn(json: unknown): number[] {
    return (json as { orders: { orderId: number }[] }).orders.map((order) => order.orderId)
  }
})
