import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedEventOf } from '#server/features/history/history.ts'
import * as actions from '#shared/desk/actions/actions.api.ts'
import { readDeskOrder } from '#shared/desk/orders/desk-orders.api.ts'
import { askNumber } from '#shared/desk/orders/people.api.ts'
import { readStops } from '#shared/desk/stops/stops.api.ts'
import { readWork, takeWork } from '#shared/desk/work/work.api.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { issuedAwb, newPhone, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { minute } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { type DeskBrowser, newDeskBrowser } from '#test/kit/gateway/desk.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'

/** What staff do, through the gateway. Rules of approvals, and two at once on both engines: server/desk/actions. */

let stack: InProcessStack
let people: Readonly<Record<StaffRole, DeskBrowser>>
beforeAll(async () => {
  stack = await ownStack()
  const [support, money, lead] = [newDeskBrowser(stack), newDeskBrowser(stack), newDeskBrowser(stack)]
  people = { support, money, lead }
  await signInAll()
})
afterAll(() => stack?.close())

const names = { support: 'sara', money: 'majed', lead: 'lulwa' } as const
async function signInAll(): Promise<void> {
  for (const role of Object.keys(names) as StaffRole[])
    await people[role].signIn({ as: names[role] }, { again: true })
}

const keyed = () => ({ 'idempotency-key': crypto.randomUUID() })
const reason = 'the bag was lost'
const act = (orderId: number | string, body: object = { reason }) => ({
  params: { id: String(orderId) },
  headers: keyed(),
  body: body as never,
})
const kindsOf = async ({ person }: DeskBrowser, orderId: number) =>
  (await person.call(readDeskOrder, { params: { id: String(orderId) } })).order.timeline

describe('the rights', () => {
  const all = ['support', 'money', 'lead']
  const rows: readonly [OperationShape, object, readonly string[]][] = [
    [actions.inquireAtDesk, { reason }, all],
    [actions.noteAtDesk, { text: 'She called.' }, all],
    [actions.checkedAtDesk, { reason }, all],
    [actions.resendAtDesk, { reason }, ['support', 'lead']],
    [actions.changeReceiverAtDesk, { reason, receiver: null }, ['support', 'lead']],
    [actions.cancelAtDesk, { reason }, ['support', 'lead']],
    [actions.reissueAtDesk, { reason }, ['lead']],
    [actions.refundAtDesk, { reason }, ['money', 'lead']],
    [actions.writeOffAtDesk, { reason, transaction: 'T1' }, ['money', 'lead']],
    [actions.revealApproval, { reason: 'partner' }, ['money', 'lead']],
    [actions.approveAtDesk, {}, ['money', 'lead']],
    [actions.confirmAtDesk, {}, ['money', 'lead']],
    [actions.refuseAtDesk, { reason }, ['money', 'lead']],
  ]
  it('cover every operation', () => {
    const { listApprovals, endAllSessions } = actions
    const named = [...rows.map(([{ path }]) => path), listApprovals.path, endAllSessions.path]
    expect(named.toSorted()).toEqual(
      Object.values(actions.deskActionsOperations)
        .map(({ path }) => path)
        .toSorted(),
    )
  })

  it.each(rows)('$path is for those of the table', async ({ path, method }, body, allowed) => {
    for (const role of all as StaffRole[]) {
      const answer = await people[role].person.send(method, path.replace(':id', '999999'), {
        body,
        headers: keyed(),
      })
      const isAllowed = allowed.includes(role)
      const none = path.includes('/approvals/') ? 'APPROVAL_NOT_FOUND' : 'ORDER_NOT_FOUND'
      expect([answer.status, (answer.json as { code: string }).code], role).toEqual(
        isAllowed ? [404, none] : [403, 'STAFF_ROLE_MISSING'],
      )
    }
  })

  it('need a key and a reason', async () => {
    const { person } = people.lead
    const path = actions.inquireAtDesk.path.replace(':id', '1')
    expect((await person.send('POST', path, { body: { reason } })).status).toBe(400)
    expect((await person.send('POST', path, { body: { reason: 'no' }, headers: keyed() })).status).toBe(400)
  })

  it('of approvals and stops leave support out', async () => {
    const { support, money, lead } = people
    expect((await support.person.attempt(actions.listApprovals)).code).toBe('STAFF_ROLE_MISSING')
    expect(await money.person.call(actions.listApprovals)).toEqual({
      success: true,
      approvals: [],
      nextCursor: null,
    })
    for (const { person } of [support, money])
      expect((await person.attempt(readStops)).code).toBe('STAFF_ROLE_MISSING')
    expect((await lead.person.call(readStops)).stops).toEqual([])
  })
})

it('a refund is asked, approved after a fresh sign-in, made at the provider, and told on the page with both names', async () => {
  const pilgrim = await signedUpPilgrim(stack, { lang: 'en' })
  const orderId = await paidOrder(stack, pilgrim)
  // What is issued after the wish would overtake it.
  await issuedAwb(pilgrim.person, orderId)
  const { money, lead } = people
  const call = act(orderId)
  const { approval } = await money.person.call(actions.refundAtDesk, call)
  expect(await money.person.call(actions.refundAtDesk, call)).toMatchObject({ approval })
  const sent = await money.person.send('POST', actions.refundAtDesk.path.replace(':id', String(orderId)), {
    body: call.body,
    headers: call.headers,
  })
  expect(sent.status).toBe(202)
  const id = approval?.approvalId ?? 0
  const { approvals } = await lead.person.call(actions.listApprovals)
  expect(approvals).toMatchObject([
    { approvalId: id, orderId, act: 'refund', amountHalalas: 5_000, isMine: false, changed: null, reason },
  ])
  expect(approvals[0]?.checks).toEqual([
    { tone: 'good', text: 'Paid SAR 50.00 once' },
    { tone: 'good', text: 'Nothing has gone back before' },
    { tone: 'good', text: 'The bag was not handed over yet' },
  ])
  expect((await money.person.attempt(actions.approveAtDesk, act(id, {}))).code).toBe('OWN_APPROVAL')
  // In the work list of those who may decide it.
  const waiting = async ({ person }: DeskBrowser) => {
    const { lists, ofOrder } = await person.call(readWork, { query: { order: String(orderId) } })
    const rows = ofOrder.filter(({ kind }) => kind === 'approvals').map((row) => row.id)
    return [lists.find(({ kind }) => kind === 'approvals')?.count, rows]
  }
  expect(await waiting(lead)).toEqual([1, [String(id)]])
  for (const other of [money, people.support]) expect(await waiting(other)).toEqual([0, []])
  const row = { kind: 'approvals', id: String(id) } as const
  expect((await money.person.attempt(takeWork, { params: row, body: {} })).code).toBe('WORK_NOT_FOUND')
  // Both without a body.
  expect((await lead.person.call(takeWork, { params: row })).row.text).toContain('SAR 50.00')
  await stack.passTime(6 * minute)
  expect((await lead.person.attempt(actions.approveAtDesk, act(id, {}))).code).toBe(
    'REAUTHENTICATION_REQUIRED',
  )
  await signInAll()
  await lead.person.call(actions.approveAtDesk, { params: { id: String(id) } })
  await eventually(async () =>
    (await pilgrim.person.order(orderId)).status === 'REFUNDED' ? true : undefined,
  )
  const refusal = await lead.person.refusalOf(actions.refundAtDesk, act(orderId))
  expect(refusal.problem.code).toBe('ACTION_NOT_POSSIBLE')
  const told = (await kindsOf(lead, orderId)).filter(({ kind }) => /^(?:refund|approval)-/.test(kind))
  expect(
    told
      .map(({ kind, by }) => [kind, by.name])
      .toReversed()
      .slice(0, 3),
  ).toEqual([
    ['approval-requested', 'ماجد العتيبي'],
    ['approval-decided', expect.stringContaining('لولوة')],
    ['refund-ordered', expect.stringContaining('لولوة')],
  ])
  const rows = await stack.database.tables
    .selectFrom('events')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('kind', 'in', ['approval-requested', 'approval-decided'])
    .orderBy('id')
    .execute()
  const known = { by: { issuer: `${stack.mockUrl}/identity` }, data: { personal: { reason } } }
  expect(rows.map(storedEventOf)).toMatchObject([
    { kind: 'approval-requested', ...known },
    { kind: 'approval-decided', ...known },
  ])
})

it('the list of approvals costs no more statements for several requests than for one of each kind', async () => {
  const { lead, money } = people
  const list = () => lead.person.call(actions.listApprovals)
  async function ask(): Promise<void> {
    const { person, user } = await signedUpPilgrim(stack)
    await money.person.call(actions.refundAtDesk, act(await paidOrder(stack, { person, user })))
    await lead.person.call(askNumber, {
      params: { userId: String(user.id) },
      headers: keyed(),
      body: { phone: newPhone(), reason },
    })
  }
  await ask()
  const before = (await list()).approvals.length
  const statements = await stack.statementsOf(list)
  for (const _ of [1, 2]) await ask()
  expect((await list()).approvals).toHaveLength(before + 4)
  expect(statements).toBeLessThanOrEqual(14)
  expect(await stack.statementsOf(list)).toBeLessThanOrEqual(statements)
})
