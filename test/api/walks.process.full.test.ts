import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '#test/kit/basics/eventually.ts'
import { openRows } from '#test/kit/database/rows.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import { shipmentsOf } from '#test/kit/orders/shipments.ts'
import { demoKey, startStack } from '#test/kit/programs/stack.ts'
import type { Output } from '#test/kit/programs/tools.ts'
import { commandsOf, runCommand } from '#test/kit/repo/document-commands.ts'

/** The walks of docs/tester-walk.md and docs/operate.md: their commands in order, each as it stands there. */

async function openWalk(document: string, heading?: string) {
  const stack = await startStack({ isOneWorld: true, env: { MESSAGES_ENABLED: 'true' } })
  onTestFinished(() => stack.close())
  const env = {
    DATA_DIR: stack.dataDir,
    GATEWAY_URL: stack.gatewayUrl,
    MOCK_PARTNER_URL: stack.mockUrl,
    DEMO_CONTROL_KEY: demoKey,
  }
  const commands = commandsOf(document, heading)
  const left = [...commands]
  const begin = (start: string, words: Readonly<Record<string, string>> = {}): Promise<Output> => {
    const command = left.shift()
    expect(command).toMatch(start)
    return runCommand(command ?? '', stack, env, words)
  }
  return {
    stack,
    /** Runs the next command, which begins with `start`. */
    begin,
    /** The same; it must succeed. Returns what it printed. */
    async run(start: string, words?: Readonly<Record<string, string>>): Promise<string> {
      const { code, out, err } = await begin(start, words)
      expect([code, err], `${start}\n${out}`).toEqual([0, ''])
      return out
    },
    expectEnd: () => expect(left).toEqual([]),
  }
}

/** An order whose card form is open. */
async function openOrder(person: Person, userId: number): Promise<number> {
  return (await person.checkout(userId)).orderId
}

const awbOf = async (person: Person, orderId: number) => (await person.order(orderId)).bookings[0]?.awb ?? ''

/** The airway bill of an order once its label is stored. */
const readyAwb = (person: Person, orderId: number) =>
  eventually(async () => {
    const [bag] = (await person.order(orderId)).bookings
    return bag?.state === 'READY' && bag.awb !== null ? bag.awb : undefined
  })

it('a tester pays, pays twice, sends, refunds, loses a callback, forges and starts again', async () => {
  const { stack, begin, run, expectEnd } = await openWalk('docs/tester-walk.md')
  const person = newPerson(stack)
  const { id } = await person.signUp('+966501234567', 'Maryam')
  expect(await openOrder(person, id)).toBe(1)

  const storyEnds = 'as the story should end'
  const declined = await run('npm run replay -- decline OD-1')
  expect(declined).toContain('OD-1 after: PENDING_PAYMENT, no transaction')
  const paid = await run('npm run replay -- success OD-1')
  expect(paid).toMatch(/OD-1 after: PAID, transaction \d+, \d{12} READY\n/)
  const twice = await run('npm run replay -- success OD-1 --watch')
  expect(twice).toMatch(/refund of \d+ \(second-payment\) done\nas the story should end$/)
  for (const text of [declined, paid]) expect(text).toContain(storyEnds)

  const words = { 'AIRWAY-BILL': await awbOf(person, 1) }
  expect(await run('curl -X POST localhost:4000/control/shipments/', words)).toContain('"scans"')
  await eventually(async () =>
    (await person.order(1)).bookings[0]?.state === 'IN_TRANSIT' ? true : undefined,
  )
  const found = await run('npm run ops -- find OD-1')
  expect(found).toContain('OD-1  PAID  50.00 SAR')
  for (const line of [
    /refund of \d+ +done/,
    /courier +Picked up from the agent, Mina/,
    /system +Invoice 1$/m,
    /^messages$/m,
  ])
    expect(found).toMatch(line)

  expect(await run('npm run replay -- refund OD-1')).toMatch(
    /OD-1 after: REFUNDED, .*\nas the story should end$/,
  )

  expect(await openOrder(person, id)).toBe(2)
  const waiting = begin('npm run replay -- success OD-2 --callback lose --watch')
  const [payment] = await eventually(async () => {
    const payments = await stack.control.paymentsOf(2)
    return payments[0]?.status === 'paid' ? payments : undefined
  })
  expect(payment?.callbacks).toMatchObject([{ state: 'lost' }])
  await run('curl -X POST localhost:4000/control/clock')
  const lost = await waiting
  expect([lost.code, lost.err]).toEqual([0, ''])
  expect(lost.out).toMatch(/OD-2 after: PAID, transaction \d+, \d{12} READY\nas the story should end$/)

  expect(await run('npm run replay -- success OD-2 --callback forge')).toContain('callbacks (forge)')
  expect(await run('npm run replay -- success OD-2 --callback mismatch')).toMatch(/\(wrong-amount\) done/)

  await run('curl -X POST localhost:4000/control/reset')
  expect(await stack.control.payments()).toEqual([])
  expectEnd()
})

it('an operator’s night: the courier, a lost callback, a locked pilgrim', async () => {
  const { stack, begin, run, expectEnd } = await openWalk('docs/operate.md', 'A night to practise')
  const rows = openRows(stack)
  onTestFinished(() => rows.close())
  const phone = '+966551000001'
  const person = newPerson(stack)
  const { id } = await person.signUp(phone, 'Yusuf')
  const openIs = async (status: string, orderId: number) =>
    (await person.order(orderId)).status === status ? true : undefined

  // The courier.
  expect(await openOrder(person, id)).toBe(1)
  await run('curl -X PUT localhost:4000/control/faults/shipping')
  expect(await begin('npm run replay -- success OD-1 --wait 0')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/AM\S+ has no airway bill/),
  })
  await eventually(() => openIs('PAID', 1))
  await run('curl -X POST localhost:4000/control/clock')
  expect(await run('npm run ops -- stuck')).toMatch(/^OD-1 +AM\S+ +waiting +- /m)
  await run('curl -X DELETE localhost:4000/control/faults')
  await run('curl -X POST localhost:4000/control/clock')
  await readyAwb(person, 1)
  expect(await run('npm run ops -- stuck')).toContain('no booking needs an operator')
  expect(await shipmentsOf(stack.control, 1, 0)).toBe(1)

  // The lost callback.
  expect(await openOrder(person, id)).toBe(2)
  await begin('npm run replay -- success OD-2 --callback lose --wait 0')
  expect(await run('npm run ops -- find OD-2')).toMatch(/^OD-2 {2}.*\n[\s\S]*^ {2}.* attempt OD2-/m)
  expect(await run('npm run ops -- inquire OD-2')).toMatch(
    /the provider is asked about OD2-\S+ within seconds/,
  )
  const stored = () => rows.ask<{ payment: string }>`select payment from orders where id = 2`
  await eventually(async () => ((await stored())[0]?.payment === 'paid' ? true : undefined))
  await readyAwb(person, 2)

  // The locked pilgrim; server/features/otp/phone-limits.test.ts covers how it comes to that.
  await rows.read(
    sql`update otp_counters set consecutive_failures = 20 where phone = ${phone} and role = 'user'`,
  )
  expect(await run('npm run ops -- find +966')).toContain('as user: locked, 20 wrong codes in a row')
  expect(await run('npm run ops -- unlock +966')).toContain(`${phone}: open again`)

  // The handover.
  expect(await run('npm run ops -- receipts')).toContain('none missing')
  const audit = await run('npm run ops -- audit')
  expect(audit).toMatch(/Fatima \(.+\) +phone-unlocked +\+96655•••001 .* called from this phone$/m)
  expect(audit).toMatch(/Fatima \(.+\) +inquired +OD-2 .* the bank shows the payment$/m)
  expect(await run('npm run ops -- stuck')).toContain('no booking needs an operator')
  expectEnd()
})
