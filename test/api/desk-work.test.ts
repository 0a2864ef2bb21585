import { afterAll, beforeAll, expect, it } from 'vitest'
import { operationHref } from '#client/platform/operation-href.ts'
import { listClaims, openClaim, storePhoto, writeToClaim } from '#shared/claims/claims.operations.ts'
import {
  approveAtDesk,
  endAllSessions,
  inquireAtDesk,
  listApprovals,
  noteAtDesk,
  refuseAtDesk,
} from '#shared/desk/actions/actions.operations.ts'
import { listAudit, listWorkers, pauseWorker, resumeWorker } from '#shared/desk/audit/audit.operations.ts'
import {
  answerDeskClaim,
  closeDeskClaim,
  noteDeskClaim,
  openDeskClaim,
  readDeskClaim,
  readDeskPhoto,
  storeDeskPhoto,
} from '#shared/desk/claims/desk-claims.operations.ts'
import { readDeskOrder } from '#shared/desk/orders/desk-orders.operations.ts'
import {
  endPersonSessions,
  openAgent,
  readDeskPerson,
  unlockDeskPerson,
} from '#shared/desk/orders/people.operations.ts'
import { signOutOfDesk } from '#shared/desk/staff/staff.operations.ts'
import {
  endWork,
  handWork,
  listWork,
  readDeskEvents,
  readWork,
  releaseWork,
  takeWork,
} from '#shared/desk/work/work.operations.ts'
import type { Endpoint } from '#shared/platform/operation.ts'
import {
  readAgentSession,
  readUserSession,
  sendAgentOtp,
  showPairing,
  verifyAgentOtp,
} from '#shared/sessions/sessions.operations.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { minute } from '#test/kit/basics/clock.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import { newDeskBrowser } from '#test/kit/gateway/desk.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import { addMessage } from '#test/kit/orders/messages.ts'

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack()
})
afterAll(() => stack?.close())

const names = { sara: 'سارة الحربي', majed: 'ماجد العتيبي', lulwa: 'لولوة القحطاني' }

async function atDesk(as: keyof typeof names) {
  const browser = newDeskBrowser(stack)
  await browser.signIn({ as })
  return browser.person
}

/** A paid order, and what its owner reports of its bag. */
async function reported(kind: 'other' | 'damaged' = 'other') {
  const pilgrim = await signedUpPilgrim(stack, { lang: 'en' })
  const orderId = await paidOrder(stack, pilgrim)
  const awb = await issuedAwb(pilgrim.person, orderId)
  await stack.control.advance(awb, { to: 'at-branch' })
  const { claim } = await pilgrim.person.call(openClaim, {
    params: { id: String(orderId) },
    body: { kind, text: 'A wheel of my bag is broken.' },
  })
  const claimId = String(claim.claimId)
  return { ...pilgrim, orderId, awb, claimId, row: { kind: 'claims', id: claimId } as const }
}

it('a claim goes from the report to its end, each step by the person who has it, and all of it is told', async () => {
  const { person: owner, orderId, claimId, row } = await reported()
  const [sara, majed, lulwa] = [await atDesk('sara'), await atDesk('majed'), await atDesk('lulwa')]
  const params = { claimId }
  const put = async (person: Person, operation: Endpoint, number: string) => {
    const { status, json } = await person.send('PUT', operationHref(operation, { ...params, number }), {
      rawBody: photoOf(),
      headers: {
        'content-type': 'image/jpeg',
        'idempotency-key': `photograph-${number}-of-${claimId}`,
      },
    })
    const { code, claim } = json as { code?: string; claim?: { photos: readonly number[] } }
    return [status, code ?? claim?.photos]
  }
  await put(owner, storePhoto, '1')

  const { lists } = await sara.call(readWork)
  expect(lists.find(({ kind }) => kind === 'claims')).toMatchObject({ count: 1, free: 1, late: 0 })
  expect((await sara.call(listWork, { params: { kind: 'claims' } })).rows).toMatchObject([
    { id: claimId, orderId, text: `Claim CL-${claimId}: something else`, taken: null },
  ])
  const question = { params, body: { text: 'Which wheel?', question: true as const } }
  expect((await sara.call(answerDeskClaim, question)).claim).toMatchObject({ state: 'ANSWERED' })
  expect((await sara.call(listWork, { params: { kind: 'claims' } })).rows).toEqual([])
  await owner.call(writeToClaim, { params, body: { text: 'The left one.' } })

  // It is hers still: another one is told so, and acts only after having been asked about her.
  const answer = { text: 'Bring it to the branch, please.' }
  const refusal = await majed.refusalOf(answerDeskClaim, { params, body: answer })
  expect(refusal.problem).toMatchObject({
    code: 'WORK_TAKEN',
    message: `${names.sara} has had this for 1 minute. Yours was not done.`,
  })
  const { ofOrder } = await majed.call(readWork, { query: { order: String(orderId) } })
  expect(ofOrder).toMatchObject([{ ...row, taken: { name: names.sara, isYou: false, isStale: false } }])
  const over = ofOrder[0]?.taken?.since ?? ''
  expect(
    (await majed.call(answerDeskClaim, { params, body: { ...answer, over } })).claim.events,
  ).toHaveLength(5)
  await owner.call(writeToClaim, { params, body: { text: 'It is far away.' } })

  const told = { what: 'told', text: 'Sent by mail.' } as const
  expect((await majed.attempt(noteDeskClaim, { params, body: told })).code).toBe('INVALID_REQUEST')
  await majed.call(noteDeskClaim, { params, body: { ...told, caseNumber: 'C-77' } })
  await majed.call(noteDeskClaim, { params, body: { what: 'answered', text: 'They pay.' } })
  expect([await put(majed, storeDeskPhoto, '2'), await put(sara, storeDeskPhoto, '1')]).toEqual([
    [200, [1, 2]],
    [409, 'PHOTO_THERE'],
  ])
  const close = (body: object) => majed.attempt(closeDeskClaim, { params, body: body as never })
  const paid = { outcome: 'compensated', text: 'The courier pays.' }
  expect((await close(paid)).code).toBe('INVALID_REQUEST')
  expect((await close({ ...paid, text: ' \n ', outcome: 'refused' })).code).toBe('INVALID_REQUEST')
  const compensation = { reference: 'T-1', halalas: 5_001 }
  const wish = async () => {
    const { answer: wished } = await close({ ...paid, compensation })
    expect(wished?.claim.state).not.toBe('CLOSED')
    return { params: { id: String(wished?.approval?.approvalId) }, body: {} }
  }
  const overtaken = await wish()
  // Who decides reads what the owner would read; the audit does not keep it.
  expect((await lulwa.call(listApprovals)).approvals).toMatchObject([
    { act: 'compensation', about: `CL-${claimId}`, amountHalalas: 5_001, reason: paid.text, changed: null },
  ])
  await owner.call(writeToClaim, { params, body: { text: 'And the handle.' } })
  expect((await lulwa.attempt(approveAtDesk, overtaken)).code).toBe('OVERTAKEN')
  const tooLate = { ...overtaken, body: { reason: 'Overtaken by the owner.' } }
  expect((await lulwa.attempt(refuseAtDesk, tooLate)).code).toBe('OVERTAKEN')
  expect((await sara.call(readDeskClaim, { params })).claim.state).toBe('OPEN')
  await lulwa.call(approveAtDesk, await wish())
  expect((await sara.call(readDeskClaim, { params })).claim).toMatchObject({
    compensation,
    state: 'CLOSED',
    outcome: 'compensated',
    partnerCase: 'C-77',
    photos: [1, 2],
  })
  expect((await close({ outcome: 'refused', text: 'No.' })).code).toBe('DESK_CLAIM_CLOSED')
  const { claims } = await owner.call(listClaims, { params: { id: String(orderId) } })
  expect(claims).toMatchObject([{ state: 'CLOSED', outcome: 'compensated', compensation }])
  expect(JSON.stringify(claims)).not.toMatch(/C-77|They pay|سارة|ماجد/)

  const photo = await sara.send('GET', operationHref(readDeskPhoto, { ...params, number: '1' }))
  expect([photo.status, photo.headers.get('content-disposition')]).toEqual([
    ...[200, `attachment; filename="CL-${claimId}-1.jpg"`],
  ])
  const { rows } = await lulwa.call(listAudit, { query: { order: String(orderId) } })
  expect(rows.map(({ action, by }) => [action, by]).toReversed()).toEqual([
    ['claim-viewed', names.sara],
    ['work-taken', names.sara],
    ['claim-question', names.sara],
    ['claim-viewed', names.majed],
    ['work-taken', names.majed],
    ['claim-answered', names.majed],
    ['claim-passed-on', names.majed],
    ['claim-partner-answered', names.majed],
    ['photo-added', names.majed],
    ['approval-requested', names.majed],
    ['work-taken', names.lulwa],
    ['approval-decided', names.lulwa],
    ['approval-requested', names.majed],
    ['work-taken', names.lulwa],
    ['approval-decided', names.lulwa],
    ['claim-closed', names.majed],
    ['compensated', names.lulwa],
    ['photo-viewed', names.sara],
  ])
  expect(JSON.stringify(rows)).not.toContain(paid.text)
  const { order } = await sara.call(readDeskOrder, { params: { id: String(orderId) } })
  const lines = order.timeline.filter(({ kind }) => /^claim-|^work-taken$/.test(kind))
  expect(lines.map(({ kind, by }) => `${kind} ${by.name ?? by.kind}`).toReversed()).toEqual([
    'claim-opened owner',
    'claim-message owner',
    `work-taken ${names.sara}`,
    `claim-question ${names.sara}`,
    'claim-message owner',
    `work-taken ${names.majed}`,
    `claim-answered ${names.majed}`,
    'claim-message owner',
    `claim-passed-on ${names.majed}`,
    `claim-partner-answered ${names.majed}`,
    'claim-message owner',
    `work-taken ${names.lulwa}`,
    `work-taken ${names.lulwa}`,
    `claim-closed ${names.majed}`,
  ])

  // For the owner, once for a key.
  const forOwner = {
    params: { id: String(orderId) },
    headers: { 'idempotency-key': `called-${orderId}` },
    body: { kind: 'other' as const, text: 'The owner called: the zip is torn.' },
  }
  const [first, again] = await atOnce(2, () => sara.call(openDeskClaim, forOwner))
  expect(again).toEqual(first)
  const { claim } = await majed.call(readDeskClaim, { params: { claimId: String(first?.claimId) } })
  expect(claim.events).toMatchObject([{ kind: 'opened', author: 'staff', staffName: names.sara }])
  const second = { ...forOwner, headers: { 'idempotency-key': `called-again-${orderId}` } }
  expect((await sara.refusalOf(openDeskClaim, second)).problem).toMatchObject({
    code: 'DESK_CLAIM_OPEN',
    message: `This bag has an open claim on this: ${claim.number}.`,
  })
})

it('one row, one person: of two who press at once one acts and the other is told who', async () => {
  const { row, orderId } = await reported()
  const [sara, majed, lulwa] = [await atDesk('sara'), await atDesk('majed'), await atDesk('lulwa')]
  const taken = async () => {
    const { rows } = await lulwa.call(listWork, { params: { kind: 'claims' } })
    return rows.find(({ id }) => id === row.id)?.taken
  }
  const take = (person: typeof sara, body: { over?: string } = {}) =>
    person.attempt(takeWork, { params: row, body })
  const both = await atOnce(2, (index) => take(index === 0 ? sara : majed))
  expect(both.map(({ code }) => code ?? 'done').sort()).toEqual(['WORK_TAKEN', 'done'])
  const [winner, loser] = both[0]?.code === undefined ? [sara, majed] : [majed, sara]
  expect((await loser.attempt(releaseWork, { params: row, body: {} })).code).toBe('WORK_TAKEN')
  await winner.call(releaseWork, { params: row, body: {} })
  await winner.call(releaseWork, { params: row, body: {} })
  expect(await taken()).toBeNull()

  // Two who were asked about the same colleague.
  await take(sara)
  const over = (await taken())?.since ?? ''
  const insist = await atOnce(2, (index) => take(index === 0 ? majed : lulwa, { over }))
  expect(insist.map(({ code }) => code ?? 'done').sort()).toEqual(['WORK_TAKEN', 'done'])

  const has = (await taken())?.name === names.majed ? majed : lulwa
  const to = has === majed ? 'lulwa' : 'majed'
  const hand = (person: typeof sara, colleague: string) =>
    person.attempt(handWork, { params: row, body: { to: colleague, note: 'Call the branch at five.' } })
  expect((await hand(sara, to)).code).toBe('WORK_TAKEN')
  expect((await hand(has, 'nasser')).code).toBe('COLLEAGUE_NOT_FOUND')
  expect((await hand(has, to)).code).toBeUndefined()
  const next = to === 'lulwa' ? lulwa : majed
  const { mine, colleagues } = await next.call(readWork)
  expect(mine.find(({ id }) => id === row.id)?.taken).toMatchObject({
    isYou: true,
    note: 'Call the branch at five.',
    handedBy: names[to === 'lulwa' ? 'majed' : 'lulwa'],
  })
  expect(colleagues.map(({ id }) => id)).toContain('sara')
  const free = await sara.call(listWork, { params: { kind: 'claims' }, query: { whose: 'free' } })
  expect(free.rows.map(({ id }) => id)).not.toContain(row.id)
  const own = await next.call(listWork, { params: { kind: 'claims' }, query: { whose: 'mine' } })
  expect(own.rows.map(({ id }) => id)).toContain(row.id)

  // Acts on the order, too; a note is left also for who has it.
  const call = () => ({
    params: { id: String(orderId) },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  const acted = (wish: { over?: string }, request = call()) =>
    sara.attempt(inquireAtDesk, { ...request, body: { reason: 'asked by phone', ...wish } })
  expect((await acted({})).code).toBe('WORK_TAKEN')
  await sara.call(noteAtDesk, { ...call(), body: { text: 'The owner called.' } })
  const since = { over: (await taken())?.since ?? '' }
  const request = call()
  expect((await acted(since, request)).answer).toMatchObject({ success: true })
  expect((await taken())?.name).toBe(names.sara)

  // A repeated request is answered as before, also when a colleague has it meanwhile.
  await next.call(takeWork, { params: row, body: { over: (await taken())?.since ?? '' } })
  expect((await acted(since, request)).answer).toMatchObject({ success: true })
  // From whom it took the row is nothing else.
  expect((await acted({}, request)).answer).toMatchObject({ success: true })
  const other = { ...request, body: { reason: 'asked by letter' } }
  expect((await sara.attempt(inquireAtDesk, other)).code).toBe('IDEMPOTENCY_CONFLICT')
  expect((await acted(since)).code).toBe('WORK_TAKEN')
})

it('the lists are live, and what a person has is free an hour after the last move and with the end of the session', async () => {
  const { orderId, row } = await reported()
  const [sara, majed] = [await atDesk('sara'), await atDesk('majed')]
  const path = operationHref(readDeskEvents, {}, { order: String(orderId) })
  const stream = await majed.follow(path)
  const next = async () => (await stream.next())?.data
  const claims = async () => {
    const { lists, colleagues } = await majed.call(readWork)
    return { ...lists.find(({ kind }) => kind === 'claims'), colleagues }
  }
  expect(await next()).toEqual({})
  const before = await claims()
  await sara.call(takeWork, { params: row, body: {} })
  // Other changes may still be told.
  const notices = new Set<string>()
  while (notices.size < 2) notices.add(JSON.stringify(await next()))
  expect(notices).toEqual(new Set([JSON.stringify({ orderId }), '{}']))
  const after = await claims()
  expect([after.count, after.free]).toEqual([before.count, (before.free ?? 0) - 1])
  const has = (of: typeof before) => of.colleagues.find(({ name }) => name === names.sara)?.has ?? 0
  expect(has(after)).toBe(has(before) + 1)

  // Both work on, with something else.
  const take = () => majed.attempt(takeWork, { params: row, body: {} })
  for (let at = 0; at < 3; at += 1) {
    expect((await take()).code).toBe('WORK_TAKEN')
    await stack.passTime(20 * minute)
    for (const person of [sara, majed]) await person.call(readDeskOrder, { params: { id: String(orderId) } })
  }
  expect((await take()).answer?.row.taken).toMatchObject({ isYou: true })
  await majed.call(signOutOfDesk, { body: {} })
  for (let event = await stream.next(); event?.event !== 'closing'; event = await stream.next())
    expect(event?.event).toBe('changed')
  expect(await stream.next()).toBeUndefined()
  const { rows } = await sara.call(listWork, { params: { kind: 'claims' } })
  expect(rows.find(({ id }) => id === row.id)?.taken).toBeNull()
  const { order } = await sara.call(readDeskOrder, { params: { id: String(orderId) } })
  expect(order.timeline.find(({ kind }) => kind === 'work-released')).toMatchObject({
    text: 'Released: the session ended',
    by: { name: names.majed },
  })
  // A session that no one uses frees, too.
  await sara.call(takeWork, { params: row, body: {} })
  await stack.passTime(31 * minute)
  const { rows: later } = await (await atDesk('lulwa')).call(listWork, { params: { kind: 'claims' } })
  expect(later.find(({ id }) => id === row.id)?.taken).toBeNull()
})

it('a message that did not arrive and a payment that was found leave their lists when a person has looked', async () => {
  const { user, orderId } = await reported()
  const sara = await atDesk('sara')
  const now = stack.now()
  const id = await addMessage(stack.database, {
    user_id: user.id,
    order_id: orderId,
    kind: 'exception',
    state: 'failed',
    due_at: null,
    created_at: now,
    ended_at: now,
  })
  const attempt = await stack.database.tables
    .selectFrom('payment_attempts')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const finding = await stack.database.tables
    .insertInto('payment_findings')
    .values({ attempt_id: attempt.id, amount_halalas: 5_000, noticed_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const row of [
    { kind: 'messages', id: String(id) } as const,
    { kind: 'payments', id: `f${finding.id}` } as const,
  ]) {
    const list = async () => (await sara.call(listWork, { params: { kind: row.kind } })).rows
    expect(await list()).toMatchObject([{ id: row.id, orderId }])
    const seen = { params: row, body: { reason: 'told the owner by phone' } }
    const headers = { 'idempotency-key': `pressed-twice-${row.id}` }
    // Its answer was lost, and it is pressed again.
    for (const _ of [1, 2]) await sara.call(endWork, { ...seen, headers })
    expect(await list()).toEqual([])
    expect((await sara.attempt(endWork, seen)).code).toBe('WORK_NOT_FOUND')
  }
})

it('the desk lets the one device in that shows the number of an agent whom strangers shut out, once', async () => {
  const phone = '+966500000103'
  for (let wrong = 0; wrong < 10; ) {
    const attacker = newPerson(stack, { lang: 'en' })
    const { code } = await attacker.attempt(sendAgentOtp, { body: { phone } })
    if (code === undefined)
      for (let each = 0; each < 3; each += 1) {
        const refused = await attacker.attempt(verifyAgentOtp, { body: { phone, code: '0000' } })
        if (refused.code?.startsWith('CODE_')) wrong += 1
      }
    await stack.passTime(10 * minute)
  }
  const [sara, majed, lulwa] = [await atDesk('sara'), await atDesk('majed'), await atDesk('lulwa')]
  const agent = newPerson(stack, { lang: 'en' })
  expect((await agent.attempt(sendAgentOtp, { body: { phone } })).code).toBe('TOO_MANY_WRONG_CODES')
  const { pairing } = await agent.call(showPairing, { body: { phone } })
  const { rows } = await sara.call(listWork, { params: { kind: 'agents' } })
  expect(rows).toMatchObject([{ orderId: null, data: { phone: '+966 ••••• 0103', wrong: 10 } }])

  const params = { agentId: String(rows[0]?.data.agent) }
  const body = { pairing: pairing ?? '', reason: 'called from this phone' }
  expect((await majed.attempt(openAgent, { params, body })).code).toBe('STAFF_ROLE_MISSING')
  const wrong = { params, body: { ...body, pairing: '111111' } }
  expect((await sara.attempt(openAgent, wrong)).code).toBe('PAIRING_NOT_FOUND')
  expect((await sara.attempt(openAgent, { params: { agentId: 'none' }, body })).code).toBe('AGENT_NOT_FOUND')
  const headers = { 'idempotency-key': 'one-key-of-a-form-for-agents' }
  for (const _ of [1, 2]) await sara.call(openAgent, { params, body, headers })
  expect((await lulwa.attempt(openAgent, { params, body })).code).toBe('PAIRING_NOT_FOUND')

  const other = newPerson(stack, { lang: 'en' })
  expect((await other.attempt(sendAgentOtp, { body: { phone } })).code).toBe('TOO_MANY_WRONG_CODES')
  await agent.signInAgent(phone)
  expect(await agent.call(readAgentSession)).toMatchObject({ success: true })
  const audit = await lulwa.call(listAudit, { query: { person: 'sara', action: 'device-admitted' } })
  expect(audit.rows).toMatchObject([{ about: `${params.agentId}, +966 ••••• 0103`, reason: body.reason }])
  expect(JSON.stringify(audit.rows)).not.toContain(pairing)
})

it('a person’s sign-in is opened and ended, and a worker paused, each recorded with its reason', async () => {
  const { person, user } = await signedUpPilgrim(stack, { name: 'Maryam Al-Harbi' })
  const other = await signedUpPilgrim(stack)
  const [sara, lulwa] = [await atDesk('sara'), await atDesk('lulwa')]
  const params = { userId: String(user.id) }
  const body = { reason: 'called from another phone' }
  expect((await sara.attempt(unlockDeskPerson, { params, body })).code).toBe('NOT_LOCKED')
  await stack.database.tables
    .updateTable('otp_counters')
    .set({ consecutive_failures: 20 })
    .where('phone', '=', user.phone ?? '')
    .execute()
  const shown = await sara.call(readDeskPerson, { params })
  expect(shown.person).toMatchObject({ name: 'Maryam A…', isLocked: true, wrongCodes: 20, sessions: [{}] })
  expect(JSON.stringify(shown)).not.toMatch(new RegExp(`Al-Harbi|${(user.phone ?? '').slice(4)}`))
  // Their answers were lost, and they are pressed again.
  const headers = { 'idempotency-key': 'one-key-of-a-form' }
  for (const _ of [1, 2]) await sara.call(unlockDeskPerson, { params, body, headers })
  // A colleague who comes second is told who was first.
  expect((await lulwa.attempt(unlockDeskPerson, { params, body })).code).toBe('ACTED_BEFORE')
  expect((await sara.attempt(unlockDeskPerson, { params, body })).code).toBe('NOT_LOCKED')
  expect((await sara.call(readDeskPerson, { params })).person).toMatchObject({
    isLocked: false,
    wrongCodes: 0,
  })
  for (const _ of [1, 2])
    expect(await lulwa.call(endPersonSessions, { params, body, headers })).toMatchObject({ ended: 1 })
  expect((await person.attempt(readUserSession)).code).toBe('NOT_SIGNED_IN')
  expect((await other.person.attempt(readUserSession)).code).toBeUndefined()
  const all = { body, headers: { 'idempotency-key': 'one-key-of-another-form' } }
  // Also one that a gateway has begun whose clock is ahead.
  await stack.database.tables
    .updateTable('sessions')
    .set({ created_at: stack.now() + minute / 3 })
    .where('subject_id', '=', other.user.id)
    .execute()
  const { approval } = await lulwa.call(endAllSessions, all)
  expect((await lulwa.call(endAllSessions, all)).approval).toEqual(approval)
  expect((await other.person.attempt(readUserSession)).code).toBeUndefined()
  const decision = { params: { id: String(approval?.approvalId) }, body: {} }
  expect((await lulwa.attempt(approveAtDesk, decision)).code).toBe('OWN_APPROVAL')
  const majed = await atDesk('majed')
  const { approvals } = await majed.call(listApprovals, { query: {} })
  expect(approvals.find(({ act }) => act === 'end-sessions')).toMatchObject({ orderId: null, isMine: false })
  const press = { ...decision, headers: { 'idempotency-key': 'approved-with-one-key' } }
  await majed.call(approveAtDesk, press)
  expect((await other.person.attempt(readUserSession)).code).toBe('NOT_SIGNED_IN')
  // Who has signed in since is not ended by its repetition.
  await stack.passTime(minute)
  const later = await signedUpPilgrim(stack)
  await majed.call(approveAtDesk, press)
  expect((await later.person.attempt(readUserSession)).code).toBeUndefined()
  expect((await lulwa.attempt(readDeskPerson, { params: { userId: '999999' } })).code).toBe(
    'PERSON_NOT_FOUND',
  )

  const worker = { params: { name: 'trackingTexts' }, body: { reason: 'the courier’s page is down' } }
  const unexplained = { ...worker, body: { reason: 'no' } }
  for (const change of [pauseWorker, resumeWorker])
    expect((await lulwa.attempt(change, unexplained)).code).toBe('INVALID_REQUEST')
  expect(await lulwa.call(pauseWorker, worker)).toMatchObject({ changed: true })
  expect(await lulwa.call(pauseWorker, worker)).toMatchObject({ changed: false })
  const { workers } = await lulwa.call(listWorkers)
  expect(workers.find(({ name }) => name === 'trackingTexts')?.pausedAt).toMatch(/Z$/)
  const queues = ['shipments', 'inquiries', 'refunds', 'tracking', 'messages', 'claims']
  const counted = workers.filter(({ waiting }) => waiting !== null)
  expect(counted.map(({ name }) => name).toSorted()).toEqual(queues.toSorted())
  expect(workers.find(({ name }) => name === 'refunds')).toEqual({
    name: 'refunds',
    pausedAt: null,
    waiting: 0,
  })
  await lulwa.call(resumeWorker, worker)
  expect((await lulwa.attempt(pauseWorker, { ...worker, params: { name: 'none' } })).code).toBe(
    'WORKER_NOT_FOUND',
  )

  const { rows } = await lulwa.call(listAudit, { query: { user: params.userId } })
  expect(rows.map(({ action, reason }) => [action, reason])).toEqual([
    ['sessions-ended', body.reason],
    ['person-viewed', null],
    ['phone-unlocked', body.reason],
    ['person-viewed', null],
  ])
  const own = await lulwa.call(listAudit, { query: { person: 'lulwa' } })
  expect(own.rows.slice(0, 4).map(({ action, about, reason }) => [action, about, reason])).toEqual([
    ['worker-resumed', 'trackingTexts', worker.body.reason],
    ['worker-paused', 'trackingTexts', worker.body.reason],
    ['approval-requested', expect.stringMatching(/^approval \d+, end-sessions$/), body.reason],
    ['sessions-ended', null, body.reason],
  ])

  await stack.passTime(6 * minute)
  for (const change of [pauseWorker, resumeWorker])
    expect((await lulwa.attempt(change, worker)).code).toBe('REAUTHENTICATION_REQUIRED')
})
