import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Core } from '#server/core.ts'
import { auditRowOf } from '#server/desk/audit/audit.rules.ts'
import { readClaimPage } from '#server/desk/claims/claim-page.ts'
import {
  answerClaim,
  closeApprovedClaim,
  closeClaim,
  noteComplaint,
  noteCourierAnswer,
  openClaimForOwner,
  readPhotoForStaff,
  storePhotoForOwner,
} from '#server/desk/claims/desk-claims.ts'
import { listActs, recordAct, staffActor } from '#server/features/history/acts.ts'
import { listClaimEvents, listEvents } from '#server/features/history/history.ts'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import { markUserDeleted } from '#server/features/users/users.queries.ts'
import type { ClaimRequest } from '#shared/claims/claims.schemas.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { day, hour } from '#test/kit/basics/clock.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import {
  openBrowser,
  openFeatureApp,
  problemOf,
  refusedFieldsOf,
  routesFor,
  type TestBrowser,
} from '#test/kit/gateway/feature-app.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import { openClaims, press } from '#test/kit/orders/claims.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { bagEvent } from '#test/kit/orders/stored-orders.ts'
import { eraseClaimsOfUser } from './claims.queries.ts'
import { claimsRoutes } from './claims.routes.ts'
import { readClaimStep } from './claims.ts'

const approver = {
  kind: 'staff',
  issuer: 'https://id',
  subject: 's-2',
  name: 'Lulwa',
  roles: ['lead'],
} as const
const staff = {
  role: 'staff',
  issuer: 'https://id.example',
  subject: 'sara',
  name: 'Sara',
  roles: ['support'],
  authenticatedAt: 0,
} as const

let fixture: PaymentFixture
let opened: Awaited<ReturnType<typeof openClaims>>
let core: Core
let browser: TestBrowser
let send: Awaited<ReturnType<typeof openFeatureApp>>['inject']
let orderId: number
beforeEach(async () => {
  fixture = await openPaymentFixture()
  opened = await openClaims(fixture, ['2027-01-26'])
  core = opened.core
  const app = await openFeatureApp((each) => claimsRoutes(core, routesFor(core, each)))
  browser = openBrowser(app, { lang: 'en' })
  send = app.inject.bind(app)
  orderId = (await fixture.openPaid()).orderId
  await fixture.ship()
  await happens('handed-over')
})
afterEach(() => fixture.close())

const header = (principal: object) => ({ 'x-caller': JSON.stringify(principal) })
const owner = header({ role: 'user', userId: 1 })
const other = header({ role: 'user', userId: 2 })
const text = 'The wheel of my bag is broken.'

const open = (change: Partial<ClaimRequest> = {}, headers: object = {}) =>
  browser.post(`/api/orders/${orderId}/claims`, { kind: 'other', text, ...change }, { ...owner, ...headers })
const list = (principal = owner) => browser.get(`/api/orders/${orderId}/claims`, principal)
const write = (said: string, principal = owner) =>
  browser.post('/api/claims/1/messages', { text: said }, principal)
const withdraw = (principal = owner) => browser.post('/api/claims/1/withdraw', {}, principal)
const photo = (principal = owner) => browser.get('/api/claims/1/photos/1', principal)
const putPhoto = async (payload: Buffer, { headers = owner, type = 'image/jpeg', number = 1 } = {}) => {
  const answer = await send({
    method: 'PUT',
    url: `/api/claims/1/photos/${number}`,
    payload,
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': type, ...headers },
  })
  return { status: answer.statusCode, json: answer.json() }
}

async function happens(...kinds: readonly EventKind[]): Promise<void> {
  const [booking] = await findBookings(fixture.core, [orderId])
  for (const kind of kinds)
    await fixture.database.transaction(() =>
      recordBagEvents(fixture.core, booking?.id ?? 0, [bagEvent(kind, fixture.clock.now(), { key: kind })]),
    )
}
const stepsOf = async (claimId: number) => (await listClaimEvents(fixture, [claimId])).map(({ id }) => id)
/** Recorded messages, each with the position of its step in its claim. */
const told = async () => {
  const lines: string[] = []
  for (const { kind, claim_id, event_id } of await opened.listMessages())
    lines.push(`${kind} ${(await stepsOf(claim_id ?? 0)).indexOf(event_id) + 1}`)
  return lines
}
async function runWorker(): Promise<void> {
  opened.worker.start()
  await opened.worker.stop()
}
/** The fixture's clock shows noon of Friday, 15 January 2027; the 26th is a holiday. */
const firstDay = '2027-01-21'

describe('opening', () => {
  it('stores the claim with its number, its day and its message, once', async () => {
    const { status, json } = await open()
    expect(status).toBe(200)
    const [awb] = (await readOrderFor(fixture.core, { role: 'user', userId: 1 }, orderId)).bookings.map(
      ({ awb }) => awb,
    )
    expect(json.claim).toEqual({
      claimId: 1,
      number: 'CL-1',
      kind: 'other',
      awb,
      state: 'OPEN',
      answerBy: firstDay,
      photos: [],
      openedAt: '2027-01-15T09:00:00.000Z',
      messages: [{ at: '2027-01-15T09:00:00.000Z', from: 'you', text }],
    })
    expect((await list()).json).toMatchObject({
      claims: [json.claim],
      offer: { answerBy: firstDay, bags: [{ awb, kinds: ['other'] }] },
    })
    expect(await measured(core, 'amtiati_claim_steps_total{step="opened"}')).toBe(1)
    expect(await measured(core, 'amtiati_claims{wait="in-time"}')).toBe(1)
    expect(await measured(core, 'amtiati_claims{wait="overdue"}')).toBe(0)
    const [eventId] = await stepsOf(1)
    expect(await listClaimEvents(fixture, [1])).toMatchObject([
      {
        kind: 'claim-opened',
        data: { claim: 'other', personal: { text } },
        by: { kind: 'owner' },
        claimId: 1,
        orderId,
        bookingId: 1,
        userId: 1,
      },
    ])
    expect(await opened.listMessages()).toEqual([
      { kind: 'claim-opened', user_id: 1, order_id: orderId, claim_id: 1, event_id: eventId },
    ])
  })

  it('has one winner of many at once, and the same claim under one key', async () => {
    const codes = (await atOnce(5, () => open())).map(({ status }) => status)
    expect(codes.toSorted()).toEqual([200, 409, 409, 409, 409])
    await withdraw()
    const key = { 'idempotency-key': 'one-key-of-one-press' }
    const same = await atOnce(5, () => open({}, key))
    expect(new Set(same.map(({ json }) => JSON.stringify(json))).size).toBe(1)
    expect(problemOf(await open({ text: `${text} Both.` }, key)).code).toBe('IDEMPOTENCY_CONFLICT')
    expect(await told()).toEqual(['claim-opened 1', 'claim-closed 2', 'claim-opened 1'])
  })

  it('answers what was opened under a key also when it is not offered any more', async () => {
    const key = { 'idempotency-key': 'one-key-of-one-press' }
    await happens('handed-over', 'in-transit')
    fixture.clock.advance(72 * hour)
    const late = await open({ kind: 'late' }, key)
    await happens('at-branch')
    expect((await open({ kind: 'late' }, key)).json).toEqual(late.json)
    expect(problemOf(await open({ kind: 'lost' })).code).toBe('CLAIM_NOT_OFFERED')
  })

  it.each([
    ['a text of nine characters', { text: 'x'.repeat(9) }, ['text']],
    ['a text of spaces', { text: `x${' '.repeat(20)}` }, ['text']],
    ['a text that is too long', { text: 'x'.repeat(2_001) }, ['text']],
    ['another bag', { awb: '999999999999' }, ['awb']],
  ])('is refused with %s', async (_, change, fields) => {
    expect(refusedFieldsOf(await open(change))).toEqual(fields)
    expect(await told()).toEqual([])
  })

  it('is limited for each owner', async () => {
    for (let count = 0; count < 6; count += 1) {
      expect((await open()).status).toBe(200)
      await browser.post(`/api/claims/${count + 1}/withdraw`, {}, owner)
    }
    expect(problemOf(await open())).toMatchObject({ code: 'TOO_MANY_CALLS', retryAfterSeconds: 86_400 })
    fixture.clock.advance(day)
    expect((await open()).status).toBe(200)
  })

  it('is about the first bag without an airway bill where none is named', async () => {
    const { tables } = fixture.database
    const first = await tables.selectFrom('bookings').selectAll().executeTakeFirstOrThrow()
    const { id: _, ...copy } = { ...first, leg: 1, reference: `${first.reference}-2` }
    await tables
      .insertInto('bookings')
      .values({ ...copy, awb: null })
      .execute()
    const about = async (number: number) =>
      (await tables.selectFrom('claims').select('booking_id').where('id', '=', number).executeTakeFirst())
        ?.booking_id
    await open()
    expect(await about(1)).not.toBe(first.id)
    await tables.updateTable('bookings').set({ awb: null }).execute()
    await open({ kind: 'other' })
    expect(await about(2)).toBe(first.id)
    await tables
      .updateTable('bookings')
      .set({ awb: (row) => row.ref('reference') })
      .execute()
    expect(refusedFieldsOf(await open())).toEqual(['awb'])
  })
})

describe('another user', () => {
  it('finds neither claim nor order', async () => {
    await open()
    await putPhoto(photoOf())
    for (const answer of [await write('Hello', other), await withdraw(other), await photo(other)])
      expect(problemOf(answer)).toMatchObject({ status: 404, code: 'CLAIM_NOT_FOUND' })
    expect(await putPhoto(photoOf(), { headers: other })).toMatchObject({ status: 404 })
    expect(problemOf(await list(other)).code).toBe('ORDER_NOT_FOUND')
    expect((await list(header({ role: 'agent', agentId: 1, partnerAgentId: 'A01' }))).status).toBe(403)
  })
})

describe('the conversation', () => {
  it('goes on: a question is answered, an answer is doubted, each with a day of its own', async () => {
    await open()
    fixture.clock.advance(day)
    await answerClaim(core, staff, 1, press(), { text: 'Which wheel?', isQuestion: true })
    const asked = await list()
    expect(asked.json.claims).toMatchObject([{ state: 'ANSWERED', answerBy: firstDay }])
    fixture.clock.advance(3 * day)
    expect((await write('The left one.')).json.claim).toMatchObject({ state: 'OPEN', answerBy: '2027-01-27' })
    fixture.clock.advance(day)
    expect((await write('And the handle.')).json.claim).toMatchObject({
      state: 'OPEN',
      answerBy: '2027-01-27',
    })
    await answerClaim(core, staff, 1, press(), { text: 'Please bring it.', isQuestion: false })
    expect((await list()).json.claims).toMatchObject([
      {
        state: 'ANSWERED',
        messages: [
          { from: 'you', text },
          { from: 'us', text: 'Which wheel?', isQuestion: true },
          { from: 'you', text: 'The left one.' },
          { from: 'you', text: 'And the handle.' },
          { from: 'us', text: 'Please bring it.' },
        ],
      },
    ])
    expect(await told()).toEqual(['claim-opened 1', 'claim-question 2', 'claim-answered 5'])
  })

  it('has a message once, however often it is sent', async () => {
    await open()
    const answers = [await write('Hello?'), await write('Hello? '), await write('Hello?')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.at(-1)?.json.claim).toMatchObject({ messages: [{ text }, { text: 'Hello?' }] })
  })

  it('is limited', async () => {
    await open()
    for (let count = 0; count < 30; count += 1) await write(`Hello ${count}`)
    expect(problemOf(await write('Hello')).code).toBe('TOO_MANY_CALLS')
  })

  it('shows its owner nothing of what is between us and the courier', async () => {
    await open()
    await noteComplaint(core, staff, 1, press(), { caseNumber: 'S-77', text: 'Told by phone' })
    await noteCourierAnswer(core, staff, 1, press(), 'It is in Jeddah')
    expect(JSON.stringify((await list()).json)).not.toMatch(/S-77|Told|Jeddah|Sara/)
  })
})

describe('the end', () => {
  it('at the request of its owner has one message, and no answer then', async () => {
    await open()
    const closed = { state: 'CLOSED', outcome: 'withdrawn', reopensUntil: '2027-02-14T09:00:00.000Z' }
    expect((await withdraw()).json.claim).toMatchObject(closed)
    expect((await withdraw()).json.claim).toMatchObject(closed)
    await expect(
      answerClaim(core, staff, 1, press(), { text: 'Too late', isQuestion: false }),
    ).rejects.toMatchObject({
      code: 'DESK_CLAIM_CLOSED',
      details: { values: { number: 'CL-1' } },
    })
    expect(await told()).toEqual(['claim-opened 1', 'claim-closed 2'])
  })

  it('by us says why, can be doubted for thirty days, and no longer', async () => {
    await open()
    expect(
      await closeClaim(core, staff, 1, press(), { outcome: 'refused', text: 'It was packed badly.' }),
    ).toBeUndefined()
    expect((await list()).json.claims).toMatchObject([
      { state: 'CLOSED', outcome: 'refused', messages: [{}, { from: 'us', text: 'It was packed badly.' }] },
    ])
    expect(problemOf(await withdraw()).code).toBe('CLAIM_CLOSED')
    expect((await putPhoto(photoOf())).json.code).toBe('CLAIM_CLOSED')
    fixture.clock.advance(30 * day - 1)
    expect((await write('It was not.')).json.claim).toMatchObject({ state: 'OPEN' })
    await closeClaim(core, staff, 1, press(), { outcome: 'refused', text: 'Still.' })
    fixture.clock.advance(30 * day)
    expect(problemOf(await write('No.')).code).toBe('CLAIM_CLOSED')
  })

  it('at the wish of its owner is limited for each owner, and undone where it is refused', async () => {
    await open()
    for (let count = 0; count < 6; count += 1) {
      expect((await withdraw()).status).toBe(200)
      await write(`Wait ${count}`)
    }
    expect(problemOf(await withdraw())).toMatchObject({ code: 'TOO_MANY_CALLS', retryAfterSeconds: 86_400 })
    expect((await list()).json.claims).toMatchObject([{ state: 'OPEN' }])
    expect((await told()).filter((each) => each.startsWith('claim-closed'))).toHaveLength(6)
    fixture.clock.advance(day)
    expect((await withdraw()).status).toBe(200)
  })

  it('is not undone where another claim about the same is open', async () => {
    await open()
    await withdraw()
    await open()
    expect(problemOf(await write('Again'))).toMatchObject({
      code: 'CLAIM_OPEN',
      message: expect.stringContaining('CL-2'),
    })
  })

  it('with a compensation that is not promised alone waits for a second person, and changes nothing', async () => {
    await open()
    const closing = (halalas: number) =>
      ({
        outcome: 'compensated',
        text: 'Paid by the courier.',
        compensation: { halalas, reference: 'T-9' },
      }) as const
    expect(await closeClaim(core, staff, 1, press(), closing(5_001))).toBe(1)
    expect((await list()).json.claims).toMatchObject([{ state: 'OPEN' }])
    const [request] = await fixture.database.tables.selectFrom('approvals').selectAll().execute()
    expect(request).toMatchObject({ act: 'compensation', about: 'CL-1', halalas: 5_001 })
    const approve = () =>
      fixture.database.transaction(() => closeApprovedClaim(core, staff, approver, request?.payload ?? null))
    await approve()
    expect(await readClaimPage(core, staff, 1)).toMatchObject({
      compensation: { halalas: 5_001, reference: 'T-9' },
    })
    const recorded = (await listEvents(fixture, 'claim_id', [1])).filter(
      ({ kind }) => kind !== 'claim-opened' && kind !== 'claim-viewed',
    )
    expect(recorded).toMatchObject([
      {
        kind: 'claim-closed',
        by: staffActor(staff),
        data: {
          changed: {
            state: ['OPEN', 'CLOSED'],
            outcome: [null, 'compensated'],
          },
        },
      },
      {
        kind: 'compensated',
        by: approver,
        data: { halalas: 5_001, personal: { reference: 'T-9' } },
      },
    ])
    await expect(approve()).rejects.toMatchObject({ code: 'DESK_CLAIM_CLOSED' })
    await expect(
      closeClaim(core, staff, 1, press(), { outcome: 'compensated', text: 'Nothing said' }),
    ).rejects.toThrow('a compensation has an amount')
  })
})

describe('a day that passes without an answer', () => {
  it('has one message, with another day, and one more when that day passes, too', async () => {
    await open()
    fixture.clock.advance(6 * day)
    await runWorker()
    expect((await list()).json.claims).toMatchObject([{ answerBy: firstDay, state: 'OPEN' }])
    fixture.clock.advance(12 * hour)
    await runWorker()
    await runWorker()
    expect((await list()).json.claims).toMatchObject([{ answerBy: '2027-01-24', isLate: true }])
    expect(await readClaimPage(core, staff, 1)).toMatchObject({
      answerBy: '2027-01-24',
      lateSince: firstDay,
    })
    fixture.clock.advance(3 * day)
    await runWorker()
    expect((await list()).json.claims).toMatchObject([{ answerBy: '2027-01-27', isLate: true }])
    expect(await told()).toEqual(['claim-opened 1', 'claim-late 2', 'claim-late 3'])
    await answerClaim(core, staff, 1, press(), { text: 'Sorry.', isQuestion: false })
    expect((await list()).json.claims).not.toMatchObject([{ isLate: true }])
    fixture.clock.advance(30 * day)
    await runWorker()
    expect(await told()).toHaveLength(4)
  })
})

describe('what a message says of a step', () => {
  it('is nothing once the claim has gone on', async () => {
    const step = async (number: number) => readClaimStep(core, (await stepsOf(1))[number - 1] ?? 0)
    await open()
    expect(await step(1)).toMatchObject({ number: 'CL-1', repeatedAt: null })
    expect(await step(2)).toBeUndefined()
    fixture.clock.advance(7 * day)
    await runWorker()
    expect(await step(2)).toMatchObject({ outcome: null })
    await answerClaim(core, staff, 1, press(), { text: 'First', isQuestion: false })
    expect(await step(2)).toBeUndefined()
    await answerClaim(core, staff, 1, press(), { text: 'Second', isQuestion: false })
    expect(await step(3)).toMatchObject({ repeatedAt: null })
    expect(await step(4)).toMatchObject({ repeatedAt: fixture.clock.now() })
    await withdraw()
    expect(await step(5)).toMatchObject({ outcome: 'withdrawn' })
    await write('Wait.')
    expect(await step(5)).toBeUndefined()
  })
})

describe('photographs', () => {
  it('are stored byte for byte, in place of the one before, and served as a file', async () => {
    await open()
    await putPhoto(photoOf(100))
    expect((await putPhoto(photoOf(500_000))).json.claim).toMatchObject({ photos: [1] })
    expect((await putPhoto(photoOf(), { number: 2 })).json.claim).toMatchObject({ photos: [1, 2] })
    const answer = await photo()
    expect(answer.bytes.equals(photoOf(500_000))).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="CL-1-1.jpg"',
      'x-content-type-options': 'nosniff',
    })
  })

  it('with a page in their bytes are served as what no browser runs', async () => {
    await open()
    const polyglot = photoOf(500)
    polyglot.write('*/<script>alert(1)</script><svg onload=alert(1)>/*', 50, 'latin1')
    expect((await putPhoto(polyglot)).status).toBe(200)
    expect((await photo()).headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  it('open an answered claim again, so that what was asked for is seen', async () => {
    await open()
    await answerClaim(core, staff, 1, press(), { text: 'Show us the wheel.', isQuestion: true })
    fixture.clock.advance(3 * day)
    const shown = { state: 'OPEN', answerBy: '2027-01-25', photos: [1] }
    expect((await putPhoto(photoOf())).json.claim).toMatchObject(shown)
    // Sent again, because its answer was lost.
    expect((await putPhoto(photoOf())).json.claim).toMatchObject(shown)
    const { events } = await readClaimPage(core, staff, 1)
    expect(events.map(({ kind }) => kind)).toEqual(['opened', 'question', 'message'])
  })

  it('are steps of an open claim, which keeps its day, once however often each is sent', async () => {
    await open()
    fixture.clock.advance(day)
    for (const size of [100, 100, 500, 400])
      expect((await putPhoto(photoOf(size))).json.claim).toMatchObject({ state: 'OPEN', answerBy: firstDay })
    expect(await opened.listMessages()).toHaveLength(1)
    const { events } = await readClaimPage(core, staff, 1)
    expect(events.slice(1)).toMatchObject(Array(3).fill({ kind: 'message', author: 'owner', text: '' }))
  })

  it.each([
    ['a script', Buffer.from('<script>alert(1)</script>'), {}, '422 PHOTO_REFUSED'],
    ['nothing', Buffer.alloc(0), {}, '422 PHOTO_REFUSED'],
    [
      'a picture with Exif',
      photoOf(60, Buffer.from('\xff\xe1\0\x08Exif\0\0', 'latin1')),
      {},
      '422 PHOTO_REFUSED',
    ],
    ['one byte too many', photoOf(500_001), {}, '413 BODY_TOO_LARGE'],
    ['another type', photoOf(), { type: 'image/svg+xml' }, '415 UNSUPPORTED_MEDIA_TYPE'],
    ['JSON', Buffer.from('{}'), { type: 'application/json' }, '415 UNSUPPORTED_MEDIA_TYPE'],
    ['a third one', photoOf(), { number: 3 }, '400 INVALID_REQUEST'],
  ])('are not %s', async (_, payload, how, refusal) => {
    await open()
    const { status, json } = await putPhoto(payload, how)
    expect(`${status} ${json.code}`).toBe(refusal)
    expect((await photo()).status).toBe(404)
  })

  it('are not read before it is asked who sends them', async () => {
    expect((await putPhoto(photoOf(500_001), { headers: { 'x-caller': 'null' } })).status).toBe(401)
  })

  it('are accepted by no other call', async () => {
    const { statusCode } = await send({
      method: 'POST',
      url: `/api/orders/${orderId}/claims`,
      payload: photoOf(),
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'image/jpeg', ...owner },
    })
    expect(statusCode).toBe(415)
  })
})

describe('the desk', () => {
  it('reports for an owner, named so, under keys of its own', async () => {
    const request = { kind: 'other', text } as const
    const key = 'one-key-of-one-press'
    const first = await openClaimForOwner(core, staff, orderId, request, key)
    expect(await openClaimForOwner(core, staff, orderId, request, key)).toEqual(first)
    expect(problemOf(await open({}, { 'idempotency-key': key })).code).toBe('CLAIM_OPEN')
    expect((await list()).json.claims).toMatchObject([{ messages: [{ from: 'you', text }] }])
    expect((await readClaimPage(core, staff, 1)).events).toMatchObject([
      { kind: 'opened', author: 'staff', staffName: 'Sara' },
    ])
    await expect(openClaimForOwner(core, staff, 99, request, key)).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    })
  })

  it('reads the whole history, the days of the courier, and a text for it without a person in it', async () => {
    await happens('handed-over', 'picked-up')
    await open()
    fixture.clock.advance(hour)
    await noteComplaint(core, staff, 1, press(), { caseNumber: 'S-77', text: 'By mail' })
    await putPhoto(photoOf())
    const read = await readClaimPage(core, staff, 1)
    expect(read).toMatchObject({
      number: 'CL-1',
      partnerCase: 'S-77',
      photos: [1],
      lateSince: null,
      partnerBy: '2027-02-14T09:00:00.000Z',
      partnerAnswerBy: '2027-01-25T10:00:00.000Z',
      events: [
        { kind: 'opened' },
        { kind: 'passed-on', staffName: 'Sara', text: 'By mail' },
        { kind: 'message', text: '' },
      ],
    })
    expect(read.partnerText.split('\n')).toEqual([
      'Our case CL-1: complaint.',
      expect.stringMatching(/^Airway bill: \d+\.$/),
      'Handed over: 2027-01-15 12:00 (Riyadh time), Makkah.',
      expect.stringMatching(/^Destination: .*Riyadh\.$/),
      'Last scan: picked-up, 2027-01-15 12:00.',
      'What happened to the shipment? Please give us your case number with the answer.',
    ])
    expect((await readPhotoForStaff(core, staff, { claimId: 1, number: 1 })).length).toBe(photoOf().length)
    await expect(readPhotoForStaff(core, staff, { claimId: 1, number: 2 })).rejects.toMatchObject({
      code: 'CLAIM_NOT_FOUND',
    })
    await expect(readClaimPage(core, staff, 9)).rejects.toMatchObject({ code: 'CLAIM_NOT_FOUND' })
  })

  it('records that a person opened a claim, once an hour for each, and limits their number', async () => {
    for (let count = 0; count < 3; count += 1) {
      await open()
      if (count < 2) await browser.post(`/api/claims/${count + 1}/withdraw`, {}, owner)
    }
    const huda = { ...staff, subject: 'huda' }
    for (const claimId of [1, 1, 2]) await readClaimPage(core, staff, claimId)
    await answerClaim(core, huda, 3, press(), { text: 'It is repaired.', isQuestion: false })
    const { database } = fixture
    const acts = (await listActs(core, { orderId, limit: 10 })).map(auditRowOf)
    expect(acts.toReversed().map(({ action, person, about }) => [action, person, about])).toEqual([
      ['claim-viewed', 'sara', 'CL-1'],
      ['claim-viewed', 'sara', 'CL-2'],
      ['claim-viewed', 'huda', 'CL-3'],
      ['claim-answered', 'huda', 'CL-3'],
    ])
    await database.transaction(async () => {
      for (let count = 2; count < 200; count += 1)
        await recordAct(
          { database },
          { by: staffActor(staff), kind: 'claim-viewed', claimId: 9, at: fixture.clock.now() },
        )
    })
    await readClaimPage(core, staff, 1)
    const refused = { code: 'TOO_MANY_CALLS' }
    await expect(readClaimPage(core, staff, 3)).rejects.toMatchObject(refused)
    await expect(
      answerClaim(core, staff, 3, press(), { text: 'Found.', isQuestion: false }),
    ).rejects.toMatchObject(refused)
    expect((await told()).at(-1)).toBe('claim-answered 2')
    fixture.clock.advance(hour)
    expect((await readClaimPage(core, staff, 3)).events).toHaveLength(2)
  })

  it('adds a photograph for the owner, once, named so in the audit, and takes none away', async () => {
    await open()
    const add = (number: number, act = press()) =>
      storePhotoForOwner(core, staff, { claimId: 1, number }, act, photoOf(100))
    const pressed = press()
    await add(1, pressed)
    await add(1, pressed)
    await expect(add(1)).rejects.toMatchObject({ code: 'PHOTO_THERE' })
    const exif = photoOf(60, Buffer.from('\xff\xe1\0\x08Exif\0\0', 'latin1'))
    await expect(
      storePhotoForOwner(core, staff, { claimId: 1, number: 2 }, press(), exif),
    ).rejects.toMatchObject({ code: 'PHOTO_REFUSED' })
    expect((await list()).json.claims).toMatchObject([{ photos: [1], state: 'OPEN' }])
    const events = await listEvents(fixture, 'order_id', [orderId])
    expect(events.filter(({ kind }) => kind === 'photo-added')).toMatchObject([
      { by: staffActor(staff), claimId: 1, userId: 1, data: { about: 'CL-1, photograph 1' } },
    ])
    await withdraw()
    await expect(add(2)).rejects.toMatchObject({ code: 'DESK_CLAIM_CLOSED' })
  })

  it('reads that the account of the owner was deleted, whatever it does', async () => {
    await open()
    await fixture.database.transaction(async () => {
      await markUserDeleted({ database: fixture.database }, 1, '+966550000001', fixture.clock.now())
      await eraseClaimsOfUser(core, 1)
    })
    const acts = [
      openClaimForOwner(core, staff, orderId, { kind: 'other', text }, undefined),
      noteComplaint(core, staff, 1, press(), { caseNumber: 'S-77', text: 'By mail' }),
      noteCourierAnswer(core, staff, 1, press(), 'Lost.'),
      answerClaim(core, staff, 1, press(), { text: 'It is found.', isQuestion: false }),
      storePhotoForOwner(core, staff, { claimId: 1, number: 1 }, press(), photoOf(100)),
      fixture.database.transaction(() => closeApprovedClaim(core, staff, approver, null)),
    ]
    for (const refused of await Promise.allSettled(acts))
      expect(refused).toMatchObject({
        reason: {
          code: 'ACTION_NOT_POSSIBLE',
          details: { values: { why: { en: 'the account of its owner was deleted.' } } },
        },
      })
  })

  it('asks the courier about a damaged bag that was collected how it was damaged, not where it is', async () => {
    await happens('handed-over', 'picked-up', 'at-branch', 'collected')
    await open({ kind: 'damaged' })
    const { partnerText } = await readClaimPage(core, staff, 1)
    expect(partnerText).toMatch(/^Our case CL-1: damaged shipment\.$/m)
    expect(partnerText).toMatch(/^When was the shipment damaged, and how did it happen\? /m)
    expect(partnerText).not.toMatch(/where/i)
  })

  it('an answer that is pressed twice is one step and one message, also after a colleague has taken the claim', async () => {
    await open()
    const take = vi.fn(async () => undefined)
    const answering = { ...press('key-of-a-form'), before: take }
    const answer = (said = 'It is repaired.') =>
      answerClaim(core, staff, 1, { ...answering, body: said }, { text: said, isQuestion: false })
    await atOnce(3, () => answer())
    const taken = take.mock.calls.length
    expect(taken).toBeGreaterThan(0)
    await answer()
    expect(take).toHaveBeenCalledTimes(taken)
    await expect(answer('It is lost.')).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    const { events } = await readClaimPage(core, staff, 1)
    expect(events.map(({ kind }) => kind)).toEqual(['opened', 'answered'])
    expect(await told()).toEqual(['claim-opened 1', 'claim-answered 2'])
    // A key belongs to one staff member.
    await answerClaim(core, { ...staff, subject: 'huda' }, 1, answering, {
      text: 'Really.',
      isQuestion: false,
    })
    expect(await told()).toHaveLength(3)
  })
})
