import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '#server/platform/secrets.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { operations } from '#shared/operations.ts'
import { readOrder } from '#shared/orders/orders.operations.ts'
import type { Endpoint, OperationShape } from '#shared/platform/operation.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import {
  agentCodeOf,
  issuedAwb,
  newPhone,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
  withEmail,
} from '#test/builders/pilgrim.builder.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import { type Answer, newPerson, type Person } from '#test/kit/gateway/person.ts'
import { outcomeOf, seenIn } from '#test/kit/gateway/sign-in.ts'
import { rfcReader } from '#test/kit/gateway/web-push.ts'
import { callbackOf, successOn } from '#test/kit/orders/callbacks.ts'
import type { PaymentView } from '#test/kit/programs/control.ts'
import type { Stack } from '#test/kit/programs/stack.ts'
import { validRequests } from './valid-requests.ts'

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
  /** The answer to a caller with access, where it is not 200. */
  readonly found?: string
  /** The call ends the caller's session or account, so it is made by extra people. */
  readonly byOthers?: true
  /** The call needs a confirmation of the user; without one it is refused. */
  readonly confirms?: ConfirmationPurpose
}

const forEach = <T>(of: (who: Who, index: number) => T) =>
  Object.fromEntries(callers.map((who, index) => [who, of(who, index)])) as Record<Who, T>

const same = (answer: string) => forEach(() => answer)
const notSignedIn = { visitor: '401 NOT_SIGNED_IN' }
const signedIn = { ...same('200'), ...notSignedIn }
const users = (owner: string, other: string) => ({
  ...same('403 WRONG_ROLE'),
  ...notSignedIn,
  owner,
  'other user': other,
})
const agents = (assigned: string, other: string) => ({
  ...same('403 WRONG_ROLE'),
  ...notSignedIn,
  'assigned agent': assigned,
  'other agent': other,
})
const readers = (none: string) => ({
  ...same('200'),
  ...notSignedIn,
  'other user': none,
  'other agent': none,
})

/** A call that concerns only its caller. */
const own = (answers: Row['answers'], body?: unknown): Row => ({ theirs: () => ({ body }), answers })

/** A call whose body names something. */
const inBody = (
  theirs: (who: Who) => unknown,
  none: (who: Who) => unknown,
  answers: Row['answers'],
  absent?: string,
): Row => ({
  theirs: (who) => ({ body: theirs(who) }),
  nonexistent: (who) => ({ body: none(who) }),
  answers,
  ...(absent !== undefined && { absent }),
})

/** A call whose path names something, in place of the star. */
const inPath = (
  path: string,
  theirs: (who: Who) => string | number,
  none: string | number,
  answers: Row['answers'],
  absent?: string,
  body?: unknown,
): Row => ({
  theirs: (who) => ({ path: path.replace('*', String(theirs(who))), body }),
  nonexistent: () => ({ path: path.replace('*', String(none)), body }),
  answers,
  ...(absent !== undefined && { absent }),
})

/** Numbers that do not exist. */
const missing = { order: '999999', awb: '999999999999', user: 999_999 }

const noOrder = '404 ORDER_NOT_FOUND'
const noLabel = '404 LABEL_NOT_FOUND'
const noSession = '404 SESSION_NOT_FOUND'
const refusedCheckout = '422 CHECKOUT_REFUSED'
const noPush = '404 PUSH_NOT_OFFERED'
const noClaim = '404 CLAIM_NOT_FOUND'

/** A call about an order, which answers its owner alone. */
const ofOrder = (path: string, id: () => number, body?: unknown) =>
  inPath(path, id, missing.order, users('200', noOrder), noOrder, body)

/** A call about the first claim, which answers its owner alone. */
const ofClaim = (path: string, found: string, body?: unknown): Row => ({
  ...inPath(path, () => 1, missing.order, users(found, noClaim), noClaim, body),
  found,
})

/** The first agents of the directory sign in; for the others codes are only requested. */
const agentPhones = { assigned: '+966500000101', other: '+966500000102' }
const directoryPhone = forEach((_, index) => `+96650000011${index + 1}`)
/** Each signs in once. */
const spareAgents = [4, 5, 6, 7, 8, 9].map((last) => `+96650000010${last}`)
/** Users who have signed in before, but not in the last minute. */
const knownPhone = forEach((_, index) => `+96656100000${index + 1}`)

/** Other sessions of the owner, one for each caller who tries to end it. */
const ownersSession = forEach(() => crypto.randomUUID())

let stack: Stack
let rows: Rows
let owner: Pilgrim
let neighbour: Pilgrim
let assignedId: number
let cast: Readonly<Record<Who, Person>>
let orderId: number
/** Its bag is at its branch, and its agent took a picture. */
let travelledId: number
let travelledAwb: string
let unpaidId: number
let droppedId: number
let reference: string
let payment: PaymentView
let awb: string
/** Of a link to the unpaid order: the calls about links end those of the paid one. */
const shareToken = 'B'.repeat(43)
/** Of a letter to a new address. */
const stopToken = 'A'.repeat(22)
let offer: CheckoutRequest

beforeAll(async () => {
  stack = await ownStack()
  rows = openRows(stack)
  ;[owner, neighbour] = await Promise.all([
    signedUpPilgrim(stack, { name: 'Fatimah Noor' }),
    signedUpPilgrim(stack, { name: 'Bilal Khan' }),
  ])
  // Of another account: who proves an address could not ask for another code within a minute.
  await withEmail(stack, await signedUpPilgrim(stack), knownEmail)
  const [assigned, other] = [newPerson(stack), newPerson(stack)]
  assignedId = (await assigned.signInAgent(agentPhones.assigned)).id
  await other.signInAgent(agentPhones.other)
  cast = {
    visitor: newPerson(stack),
    owner: owner.person,
    'other user': neighbour.person,
    'assigned agent': assigned,
    'other agent': other,
  }
  const agentCode = await agentCodeOf(owner.person, agentPhones.assigned)
  offer = await owner.person.offer(owner.user.id, { agentCode })
  orderId = await paidOrder(stack, owner, { agentCode })
  awb = await issuedAwb(owner.person, orderId)
  travelledId = await paidOrder(stack, owner, { agentCode })
  travelledAwb = await issuedAwb(owner.person, travelledId)
  await stack.control.advance(travelledAwb, { to: 'at-branch' })
  await rows.read(sql`
    insert into handover_photos (booking_id, taken_at, stored_at, delete_at, jpeg)
    select id, ${Date.now()}, ${Date.now()}, ${Date.now() + 86_400_000}, ${photoOf()} from bookings where awb = ${travelledAwb}`)
  const [paid] = await stack.control.paymentsOf(orderId)
  if (paid?.reference == null) throw new Error('the paid order has a payment')
  payment = paid
  reference = paid.reference
  unpaidId = (await owner.person.checkout(owner.user.id, { agentCode })).orderId
  droppedId = (await owner.person.checkout(owner.user.id, { agentCode })).orderId
  await rows.read(sql`
    insert into order_shares (order_id, token_hash, created_at) values (${unpaidId}, ${hashOf(shareToken)}, ${Date.now()})`)
  for (const phone of Object.values(knownPhone))
    await rows.read(sql`insert into users (phone, name, created_at) values (${phone}, 'Known', 1)`)
  await rows.read(sql`
    insert into users (phone, name, created_at, email) values ('+966561000009', 'Stopped', 1, 'stopped@example.com')`)
  await rows.read(sql`
    insert into email_stops (token_hash, user_id, email, expires_at)
    select ${hashOf(stopToken)}, id, email, ${Date.now() + 300_000} from users where email = 'stopped@example.com'`)
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

const knownEmail = 'fatimah@example.com'

const requests = () =>
  validRequests({
    orderId,
    unpaidId,
    droppedId,
    awb,
    userId: owner.user.id,
    agentId: assignedId,
    sessionId: undefined,
    offer,
    phone: newPhone(),
    callback: {},
  })

const checkoutOf = (userId: number) => ({ ...offer, userId })
const paymentOrderOf = (userId: number) => {
  const { amount, userId: _, ...bookingDetails } = checkoutOf(userId)
  return { userId, amount, bookingDetails }
}

const closed = Object.entries<OperationShape>(operations).flatMap(
  ([name, { access, path }]): [string, Row][] => {
    if (access !== 'staff' && access !== 'tester') return []
    const request = () => requests()[name as keyof typeof operations]
    const absent = () => ({
      ...request(),
      path: request().path?.replace(/\/(?:\d+|A01)(?=\/|$)/, '/999999') ?? path,
    })
    const answers = same(access === 'staff' ? '401 STAFF_NOT_SIGNED_IN' : '401 DEMO_KEY_REFUSED')
    return [[name, { theirs: request, ...(path.includes(':') && { nonexistent: absent }), answers }]]
  },
)

const table = {
  requestOtp: inBody(
    (who) => ({ phone: knownPhone[who] }),
    () => ({ phone: newPhone() }),
    same('200'),
    '200',
  ),
  readDelivery: own(same('200')),
  verifyOtp: inBody(
    (who) => ({ phone: knownPhone[who], code: '0000' }),
    () => ({ phone: newPhone(), code: '0000' }),
    same('400 CODE_INVALID'),
  ),
  sendAgentOtp: inBody(
    (who) => ({ phone: directoryPhone[who] }),
    () => ({ phone: newPhone() }),
    same('200'),
    '200',
  ),
  showPairing: inBody(
    () => ({ phone: agentPhones.assigned }),
    () => ({ phone: '+966500009999' }),
    same('200'),
    '200',
  ),
  verifyAgentOtp: inBody(
    (who) => ({ phone: directoryPhone[who], code: '0000' }),
    () => ({ phone: newPhone(), code: '0000' }),
    same('400 CODE_INVALID'),
  ),
  // Before a code is asked for: a wrong one is counted then.
  verifyConfirmation: own(users('400 CODE_INVALID', '400 CODE_INVALID'), { code: '0000' }),
  askConfirmation: own(users('200', '200'), { purpose: 'export' }),
  stopEmail: inBody(
    () => ({ token: stopToken }),
    () => ({ token: 'B'.repeat(22) }),
    { ...same('404 EMAIL_STOP_ENDED'), visitor: '200' },
    '404 EMAIL_STOP_ENDED',
  ),
  addEmail: { ...own(users('200', '200'), { email: 'someone@example.com' }), confirms: 'email' },
  verifyEmail: own(users('400 CODE_INVALID', '400 CODE_INVALID'), { code: '0000' }),
  recoverAccount: inBody(
    () => ({ email: knownEmail, phone: newPhone() }),
    () => ({ email: 'nobody@example.com', phone: newPhone() }),
    same('200'),
    '200',
  ),
  verifyRecovery: own(same('400 CODE_INVALID'), { emailCode: '0000', phoneCode: '0000' }),
  removeEmail: { ...own(users('200', '200'), {}), confirms: 'email-removal' },
  readUserSession: own({ ...same('401 NOT_SIGNED_IN'), owner: '200', 'other user': '200' }),
  updateUser: own(users('200', '200'), { name: 'Fatimah Noor' }),
  readAgentSession: own({ ...same('401 NOT_SIGNED_IN'), 'assigned agent': '200', 'other agent': '200' }),
  logout: { ...own(same('200'), {}), byOthers: true },
  logoutEverywhere: { ...own(signedIn, {}), byOthers: true },
  listSessions: own(signedIn),
  endSession: {
    ...inPath(
      '/api/auth/sessions/*',
      (who) => ownersSession[who],
      crypto.randomUUID(),
      { ...same(noSession), ...notSignedIn, owner: '200' },
      noSession,
    ),
    confirms: 'session',
  },
  exportUser: { ...own(users('200', '200')), confirms: 'export' },
  deleteUser: { ...own(users('200', '200')), byOthers: true, confirms: 'deletion' },
  sendReport: own(same('204'), { 'csp-report': {} }),
  listCenters: own(same('200')),
  listAgents: own(same('200')),
  readConfig: own(same('200')),
  checkout: inBody(
    () => checkoutOf(owner.user.id),
    () => checkoutOf(missing.user),
    users('200', refusedCheckout),
    refusedCheckout,
  ),
  createPaymentOrder: inBody(
    () => paymentOrderOf(owner.user.id),
    () => paymentOrderOf(missing.user),
    users('200', refusedCheckout),
    refusedCheckout,
  ),
  renewPayment: ofOrder('/api/orders/*/payment', () => unpaidId, {}),
  changeReceiver: ofOrder('/api/orders/*/receiver', () => unpaidId, { secondPhone: null }),
  cancelOrder: ofOrder('/api/orders/*/cancel', () => droppedId, {}),
  receiveCallback: {
    theirs: () => forged(payment),
    nonexistent: () => forged({ ...payment, intentionOrderId: 1, reference: 'OD999999-NONE-0000' }),
    answers: same('401 CALLBACK_REFUSED'),
  },
  // JSON is refused before anything is read; server/features/messages/messages.test.ts forges the form.
  receiveMessageStatus: inBody(
    () => ({ MessageSid: 'SM1', MessageStatus: 'delivered' }),
    () => ({ MessageSid: 'SM2', MessageStatus: 'delivered' }),
    same('415 UNSUPPORTED_MEDIA_TYPE'),
  ),
  receiveScans: inBody(
    () => [{ AWB: awb, Scans: [{ ScanType: 'DL', ScanDateTime: '2026-01-10T11:00:00' }] }],
    () => [{ AWB: missing.awb }],
    same('401 TRACKING_CALLBACK_REFUSED'),
  ),
  readOrder: inPath('/api/orders/*', () => orderId, missing.order, readers(noOrder), noOrder),
  readOrderEvents: ofOrder('/api/orders/*/events', () => orderId),
  listUserOrders: inPath(
    '/api/orders/user/*',
    () => owner.user.id,
    missing.user,
    users('200', noOrder),
    noOrder,
  ),
  listAgentOrders: inPath(
    '/api/orders/agent/*',
    () => assignedId,
    missing.user,
    agents('200', noOrder),
    noOrder,
  ),
  readAgentEvents: inPath(
    '/api/orders/agent/*/events',
    () => assignedId,
    missing.user,
    agents('200', noOrder),
    noOrder,
  ),
  readLabel: inPath('/api/orders/barcode/*', () => awb, missing.awb, readers(noLabel), noLabel),
  readLabelPdf: inPath('/api/orders/barcode/*.pdf', () => awb, missing.awb, readers(noLabel), noLabel),
  readPush: own(users('200', '200')),
  // The stack has no keys, and no push service; server/features/push/push.test.ts attacks with both.
  subscribePush: own(users(noPush, noPush), {
    endpoint: 'https://fcm.googleapis.com/fcm/send/x',
    p256dh: rfcReader.p256dh,
    auth: 'A'.repeat(22),
  }),
  unsubscribePush: own(users(noPush, noPush), {}),
  createShare: ofOrder('/api/orders/*/share', () => orderId, {}),
  readOwnShare: ofOrder('/api/orders/*/share', () => orderId),
  endShare: ofOrder('/api/orders/*/share', () => orderId, {}),
  openClaim: ofOrder('/api/orders/*/claims', () => travelledId, {
    kind: 'other',
    text: 'A wheel is broken.',
  }),
  listClaims: ofOrder('/api/orders/*/claims', () => orderId),
  // The claim of the rows above. A picture that is stored: server/features/claims/claims.test.ts.
  writeToClaim: ofClaim('/api/claims/*/messages', '200', { text: 'Hello?' }),
  storePhoto: ofClaim('/api/claims/*/photos/1', '422 PHOTO_REFUSED'),
  readPhoto: ofClaim('/api/claims/*/photos/1', noClaim),
  withdrawClaim: ofClaim('/api/claims/*/withdraw', '200', {}),
  readShare: inPath('/api/track/*', () => shareToken, 'A'.repeat(43), same('200'), '404 SHARE_NOT_FOUND'),
  refuseBag: inBody(
    () => ({ awb, reason: 'damaged' }),
    () => ({ awb: missing.awb, reason: 'damaged' }),
    agents('200', noOrder),
    noOrder,
  ),
  readShareEvents: inPath(
    '/api/track/*/events',
    () => shareToken,
    'A'.repeat(43),
    same('200'),
    '404 SHARE_NOT_FOUND',
  ),
  recordHandover: inBody(
    () => ({ awb }),
    () => ({ awb: missing.awb }),
    agents('200', noOrder),
    noOrder,
  ),
  // A picture that is stored: server/features/orders/handovers.test.ts.
  storeHandoverPhoto: {
    ...inPath(
      '/api/handovers/*/photo',
      () => awb,
      missing.awb,
      agents('422 PHOTO_REFUSED', noOrder),
      noOrder,
    ),
    found: '422 PHOTO_REFUSED',
  },
  readHandoverPhoto: inPath(
    '/api/orders/*/photo',
    () => `${travelledId}/bookings/${travelledAwb}`,
    `${missing.order}/bookings/${missing.awb}`,
    users('200', noOrder),
    noOrder,
  ),
  // After the row above, so that there is a hand-over to undo.
  undoHandover: inPath('/api/handovers/*', () => awb, missing.awb, agents('200', noOrder), noOrder),
  // Only that it is another agent's, and ten times a minute.
  findForeignBag: inPath('/api/handovers/*', () => awb, missing.awb, agents(noOrder, '200'), noOrder),
  readReceiptPdf: ofOrder('/api/orders/*/receipt.pdf', () => orderId),
  readWalletLink: inPath(
    '/api/orders/*',
    () => `${orderId}/wallet/${awb}`,
    `${missing.order}/wallet/${missing.awb}`,
    users('200', noOrder),
    noOrder,
  ),
  readCalendar: {
    ...ofOrder('/api/orders/*/visit.ics', () => orderId),
    answers: users('404 VISIT_UNKNOWN', noOrder),
    found: '404 VISIT_UNKNOWN',
  },
  signOutOfDesk: own(same('200'), {}),
  // JSON is refused before anything is read; desk.test.ts forges the form.
  endDeskSessions: own(same('415 UNSUPPORTED_MEDIA_TYPE'), { logout_token: 'e30.e30.' }),
  // No caller of this table is staff or a tester. desk.test.ts and demo.test.ts have theirs.
  ...(Object.fromEntries(closed) as Partial<Record<keyof typeof operations, Row>>),
} as Readonly<Record<keyof typeof operations, Row>>

/** A callback that reports a payment as successful, signed without the secret. */
function forged(about: PaymentView): Request {
  const { path, body } = callbackOf(successOn(about, { id: 7_000_000_000_001 }), '0'.repeat(128))
  return { path, body: JSON.parse(body) }
}

function send(person: Person, operation: Endpoint, { path, body }: Request): Promise<Answer> {
  return person.send(operation.method, path ?? operation.path, {
    ...(body !== undefined && { body }),
    // Without one an act of staff is refused before it is known who asks.
    ...(operation.access === 'staff' && { headers: { 'idempotency-key': crypto.randomUUID() } }),
  })
}

const needsConfirmation = ({ confirms }: Row, who: Who) =>
  confirms !== undefined && (who === 'owner' || who === 'other user')

/** What a user confirms with a code. */
async function confirmed(person: Person, row: Row, who: Who): Promise<void> {
  if (!needsConfirmation(row, who)) return
  const hashOfCookie = (word: string) =>
    hashOf([...person.cookies].find(([name]) => name.includes(word))?.[1] ?? '')
  const [session, binding] = [hashOfCookie('session'), hashOfCookie('browser')]
  await rows.read(sql`
    insert into confirmations (session_hash, purpose, browser_hash, challenge_id, asked_at, confirmed_until)
    values (${session}, ${row.confirms}, ${binding}, 'code', ${Date.now()}, ${Date.now() + 300_000})
    on conflict (session_hash, purpose) do update
    set browser_hash = excluded.browser_hash, confirmed_until = excluded.confirmed_until`)
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
  it('has every operation, and both cases, existing and not, where its path has a parameter', () => {
    for (const [name, { path }] of Object.entries<OperationShape>(operations)) {
      const row = table[name as keyof typeof operations]
      expect(path.includes(':') ? row?.nonexistent : row, name).toBeDefined()
    }
  })
})

describe.each(Object.entries<Row>(table))('%s', (name, row) => {
  const operation: OperationShape = operations[name as keyof typeof operations]

  it.each(callers)('answers a caller who is the %s', async (who) => {
    const person = row.byOthers ? await spareFor(who) : cast[who]
    if (needsConfirmation(row, who))
      expect(outcomeOf(await send(person, operation, row.theirs(who)))).toBe('403 CONFIRMATION_REQUIRED')
    await confirmed(person, row, who)
    const before = await rows.snapshot()
    const theirs = await send(person, operation, row.theirs(who))
    expect(outcomeOf(theirs)).toBe(row.answers[who])
    if (theirs.status >= 300) expect(await rows.snapshot()).toEqual(before)
    if (!row.nonexistent) return

    await confirmed(person, row, who)
    const absent = await send(person, operation, row.nonexistent(who))
    const isFound = outcomeOf(theirs) === (row.found ?? '200')
    expect(outcomeOf(absent)).toBe(isFound ? row.absent : row.answers[who])
    const isForMe = isFound && outcomeOf(absent) !== outcomeOf(theirs)
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
