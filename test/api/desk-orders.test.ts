import { afterAll, beforeAll, expect, it } from 'vitest'
import { noteAtDesk } from '#shared/desk/actions/actions.operations.ts'
import {
  listDeskOrders,
  readDeskOrder,
  revealDeskOrder,
  searchDesk,
} from '#shared/desk/orders/desk-orders.operations.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { newDeskBrowser } from '#test/kit/gateway/desk.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { readVerb } from '../../scripts/ops/verbs.ts'

/** With the session's own. Each is by an index: the contracts of the stores explain them. */
const mostStatements = { page: 27, search: 14 }

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack()
})
afterAll(() => stack?.close())

it('a caller is found, the order is told from its booking to its airway bill, and only a look names the caller', async () => {
  const pilgrim = await signedUpPilgrim(stack, { lang: 'en', name: 'Maryam Al-Harbi' })
  const orderId = await paidOrder(stack, pilgrim)
  const awb = await issuedAwb(pilgrim.person, orderId)
  const phone = pilgrim.user.phone ?? ''
  const { person: sara, ...desk } = newDeskBrowser(stack)
  await desk.signIn({ as: 'sara' })
  const logged = stack.logs().length

  const found = await sara.call(searchDesk, { body: { q: phone } })
  expect(found).toMatchObject({
    exact: null,
    people: [{ name: 'Maryam A…' }],
    orders: [{ orderId, bags: [{ awb }] }],
  })
  expect(await sara.call(searchDesk, { body: { q: awb } })).toMatchObject({ exact: orderId })
  const { orders } = await sara.call(listDeskOrders, { query: { status: 'PAID' } })
  expect(orders.map((order) => order.orderId)).toContain(orderId)

  const { order } = await sara.call(readDeskOrder, { params: { id: awb } })
  const readAgain = () => sara.call(readDeskOrder, { params: { id: awb } })
  expect(await stack.statementsOf(readAgain)).toBeLessThanOrEqual(mostStatements.page)
  const searchAgain = () => sara.call(searchDesk, { body: { q: phone } })
  expect(await stack.statementsOf(searchAgain)).toBeLessThanOrEqual(mostStatements.search)
  const kinds = order.timeline.map(({ kind }) => kind)
  expect(kinds.at(-1)).toBe('order-created')
  for (const kind of ['payment-opened', 'paid', 'receipt-issued', 'label-issued'])
    expect(kinds).toContain(kind)
  expect(order.timeline.map(({ text }) => text)).toContain(`Airway bill ${awb} issued`)
  expect(JSON.stringify([found, orders, order])).not.toMatch(new RegExp(`Al-Harbi|${phone.slice(4)}`))

  const reveal = { params: { id: String(orderId) }, body: { reason: 'call-back' as const } }
  expect(await sara.call(revealDeskOrder, reveal)).toMatchObject({ name: 'Maryam Al-Harbi', phone })
  expect((await sara.attempt(listDeskOrders, { query: { format: 'csv' } })).code).toBe('STAFF_ROLE_MISSING')

  const lines = stack.logs().slice(logged).join('\n')
  expect(lines).toContain('/api/desk/search')
  expect(lines).not.toMatch(new RegExp(`Maryam|${phone.slice(4)}`))
})

it('operators read the story of an order that the desk shows, with who did what', async () => {
  const orderId = await paidOrder(stack, await signedUpPilgrim(stack))
  const { person: sara, ...desk } = newDeskBrowser(stack)
  await desk.signIn({ as: 'sara' })
  const params = { id: String(orderId) }
  await sara.call(noteAtDesk, { params, body: { text: 'She calls back.' } })
  const atDesk = async () => {
    const { order } = await sara.call(readDeskOrder, { params, headers: { 'accept-language': 'en' } })
    return order.timeline.map(({ at, by, text }) =>
      [
        new Date(at).toISOString(),
        [by.kind, by.name, by.roles?.join(' ')].filter(Boolean).join(' '),
        text,
      ].join(' | '),
    )
  }
  const byOperators = async () => {
    const found = await readVerb(['find', params.id])(stack.database, { now: stack.now(), hasDesk: true })
    const [, lines = ''] = found.split('timeline\n')
    return lines.split('\n').map((line) => line.trim().split(/ {2,}/).join(' | '))
  }
  // A message may end between the two readings.
  await expect
    .poll(async () => {
      const [desk, found] = [await atDesk(), await byOperators()]
      return {
        desk: desk.filter((line) => !found.includes(line)),
        ops: found.filter((line) => !desk.includes(line)),
      }
    })
    .toEqual({ desk: [], ops: [] })
  expect(await byOperators()).toContainEqual(
    expect.stringMatching(/ \| staff سارة الحربي support \| Note: She calls back\.$/),
  )
})

it('what no name has finds none, and asks the database nothing else', async () => {
  const { person, ...desk } = newDeskBrowser(stack)
  await desk.signIn({ as: 'lulwa' })
  for (const q of [
    '"',
    '%%%',
    '\u0000',
    "' OR 1=1 --",
    'zzz" OR "a',
    'zzz*',
    'ﷺﷺﷺ',
    '😀😀😀',
    '\ud800',
    'z'.repeat(100),
  ])
    expect(await person.call(searchDesk, { body: { q } }), q).toMatchObject({
      exact: null,
      orders: [],
      people: [],
    })
})

it('a reason or a note that nobody can read is refused, and the answer says what is missing', async () => {
  const orderId = await paidOrder(stack, await signedUpPilgrim(stack))
  const { person: sara, ...desk } = newDeskBrowser(stack)
  await desk.signIn({ as: 'sara' })
  const params = { id: String(orderId) }
  const look = (text: string) => ({ params, body: { reason: 'other' as const, text } })
  const note = (text: string) => ({ params, body: { text } })
  const wordless = {
    code: 'INVALID_REQUEST',
    fields: [{ message: 'Write it in words: this text has no letters.' }],
  }
  for (const text of ['\u3164\u3164\u3164\u3164\u3164', '.....', '\u115f\u1160'.repeat(5), '2026-11-28']) {
    expect((await sara.refusalOf(revealDeskOrder, look(text))).problem, text).toMatchObject(wordless)
    expect((await sara.refusalOf(noteAtDesk, note(text))).problem, text).toMatchObject(wordless)
  }
  expect((await sara.refusalOf(revealDeskOrder, look('abc'))).problem).toMatchObject({
    fields: [{ message: 'At least 5 characters are needed here.' }],
  })
  await sara.call(revealDeskOrder, look('called us'))
  await sara.call(noteAtDesk, note('پھر کال کریں'))
})

it('the orders are a file for money', async () => {
  const { person: majed, ...desk } = newDeskBrowser(stack)
  await desk.signIn({ as: 'majed' })
  const { status, headers, bytes } = await majed.send('GET', `${listDeskOrders.path}?format=csv`)
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    ...[200, 'text/csv; charset=utf-8', 'no-store'],
  ])
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toMatch(/^\uFEFF"Order","Status"/)
  expect(headers.get('x-next-cursor')).toBeNull()
})

it('a file that does not hold all orders names the next one in a header, too', async () => {
  const { person, user } = await signedUpPilgrim(stack)
  await person.checkout(user.id)
  const { tables } = stack.database
  const { id: _, ...order } = await tables
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  const copy = { ...order, ended: 'expired' as const, ended_at: stack.now() }
  // A file holds 20,000 orders.
  for (let stored = 0; stored <= 20_000; stored += 500)
    await tables
      .insertInto('orders')
      .values(Array.from({ length: 500 }, () => copy))
      .execute()
  const { person: majed, ...desk } = newDeskBrowser(stack)
  await desk.signIn({ as: 'majed' })
  const { headers, bytes } = await majed.send('GET', `${listDeskOrders.path}?format=csv`)
  const cursor = headers.get('x-next-cursor') ?? ''
  expect(cursor).toMatch(/^\d+-\d+$/)
  expect(new TextDecoder().decode(bytes.slice(-400))).toContain(`cursor=${cursor}`)
})
