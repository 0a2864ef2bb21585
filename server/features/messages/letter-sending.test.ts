import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { issueReceipt } from '#server/features/receipts/receipts.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Worker } from '#server/platform/worker.ts'
import type { MailKind } from '#shared/messages/messages.schemas.ts'
import { hour, type ManualClock, manualClock, minute, noon, second } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { addMessage, messagesIn } from '#test/kit/orders/messages.ts'
import { agent, center } from '#test/kit/orders/orders.ts'
import { addBag, awbOf, runOutbox } from '#test/kit/orders/outbox.ts'
import type { MailOutcome, MailProvider, OutgoingMail } from './mail.provider.ts'
import { outbox } from './messages.jobs.ts'

const publicUrl = 'https://example.com'
const url = `${publicUrl}/orders/7`
const to = 'maryam@example.com'
const other = 'other@example.com'
const awb = awbOf(7)

let clock: ManualClock
let database: Database
let core: Core
let worker: Worker
let sent: OutgoingMail[]
/** The next answers of the mail server, which otherwise takes the letter. */
let answers: MailOutcome[]

const mail: MailProvider = {
  async send(letter) {
    sent.push(letter)
    return answers.shift() ?? { outcome: 'accepted' }
  },
  check: async () => ({ isEncrypted: true, isSignedIn: true }),
}

async function open({ isSmsOn = false } = {}): Promise<void> {
  const config = {
    PUBLIC_URL: publicUrl,
    MESSAGES_ENABLED: isSmsOn,
    ALLOWED_PHONE_COUNTRIES: undefined,
  }
  core = await openCore({ database, clock }, { config, providers: { mail, push: undefined } })
  worker = outbox(core)
}

beforeEach(async () => {
  clock = manualClock()
  database = await openMemory(clock)
  sent = []
  answers = []
  await database.tables
    .insertInto('users')
    .values({ id: 1, phone: '+966512345678', name: 'Maryam', language: 'en', email: to, created_at: noon })
    .execute()
  await open()
  const places = { origin: JSON.stringify(agent), destination: JSON.stringify(center) }
  await addBag(
    database,
    { userId: 1, orderId: 7, bookingId: 7 },
    { ...places, leg: 0, carriage: 'received', receiver_name: 'Huda Omar' },
  )
  await database.transaction(() =>
    issueReceipt(core, { orderId: 7, transactionId: 'T1', amountHalalas: 5_000 }),
  )
})
afterEach(() => database.close())

const addBarcode = () =>
  database.tables
    .insertInto('labels')
    .values({ booking_id: 7, pdf: new Uint8Array([1]), stored_at: noon })
    .execute()
type NewLetter = Partial<Parameters<typeof addMessage>[1]>
/** A letter; with a body it was written to the former address. */
const addLetter = (kind: MailKind = 'documents', body = '', change: NewLetter = {}) =>
  addMessage(database, { user_id: 1, order_id: 7, kind, body, phone: body === '' ? '' : to, ...change })
const work = () => runOutbox(worker, 2)
const only = async () => (await messagesIn(database))[0]

it('draws no receipt while the barcode is waited for', async () => {
  await addLetter()
  await work()
  expect(sent).toEqual([])
  expect(await only()).toMatchObject({ state: 'waiting', body: '', due_at: noon + 10 * second })
  const receipts = await database.tables.selectFrom('receipts').select('document').execute()
  expect(receipts).toEqual([{ document: '' }])
})

it('writes the text again where a barcode goes along that was not there before', async () => {
  await addBarcode()
  await addLetter('documents', 'Your receipt, order OD-7\n\nIt was written without a barcode.')
  await work()
  expect(sent[0]?.text).toContain(`Barcode to print: ${awb}.pdf`)
  expect(sent[0]?.files.map(({ name }) => name)).toEqual(['OD-7.pdf', `${awb}.pdf`])
  expect(await only()).toMatchObject({
    state: 'accepted',
    body: expect.stringMatching(/^Your barcode to Riyadh, order OD-7\n\nTo: Riyadh/),
  })
})

it('writes who collects the bag, into the letter of the payment and into one of its own', async () => {
  await addBarcode()
  await addLetter()
  await work()
  await addLetter('receiver-changed-letter')
  await work()
  expect(sent[0]?.text).toContain('\nReceiver: Huda Omar\n')
  expect(sent[1]).toMatchObject({
    subject: 'The receiver of your bag was changed, order OD-7',
    files: [],
  })
  expect(sent[1]?.text).toMatch(/\nOrder OD-7: Huda Omar now collects your bag \(.*\)\.\n/)
  expect(sent[1]?.text).toContain(url)
})

it.each(['', 'The letter.'])(
  'sends nothing of an order that is not paid any more, and says so: %j',
  async (body) => {
    await addBarcode()
    await database.tables.updateTable('orders').set({ payment: 'returned' }).execute()
    await addLetter('documents', body)
    await work()
    expect([sent, await only()]).toMatchObject([[], { state: 'dropped', last_error: 'overtaken' }])
  },
)

it('sends a letter that was not sent to the address that its person has then, and none that may have been sent', async () => {
  await addBarcode()
  await database.tables.updateTable('users').set({ email: other }).execute()
  const body = 'The letter.\n\nIt was written.'
  await addLetter('documents', body)
  await addLetter('documents', body, { state: 'uncertain', asked_at: noon - hour, sends: 1 })
  await work()
  expect(sent.map((letter) => letter.to)).toEqual([other])
  expect(await messagesIn(database)).toMatchObject([
    { state: 'accepted', phone: other },
    { state: 'dropped', phone: to, last_error: 'not wanted' },
  ])
})

it('sends no letter about another receiver to an owner who has an SMS of it', async () => {
  await open({ isSmsOn: true })
  await addLetter('receiver-changed-letter')
  await work()
  expect([sent, await messagesIn(database)]).toEqual([[], []])
})

it('waits a minute for a server that was not reached, also when the clock is set back meanwhile', async () => {
  await addLetter('receiver-changed-letter')
  answers.push({ outcome: 'unavailable', isCertain: true, cause: undefined })
  await work()
  clock.set(-hour)
  clock.advance(30 * second)
  await work()
  expect(sent).toHaveLength(1)
  clock.advance(minute)
  await work()
  expect(sent).toHaveLength(2)
})

it('drops a letter of the day before as too late, by the database’s time alone', async () => {
  await addLetter('receiver-changed-letter')
  clock.advance(72 * hour)
  database.setAhead(-72 * hour)
  await work()
  expect(sent).toHaveLength(1)
  await addLetter('receiver-changed-letter')
  database.setAhead(-47 * hour)
  await work()
  expect(sent).toHaveLength(1)
  expect((await messagesIn(database))[1]).toMatchObject({ state: 'dropped', last_error: 'too late' })
})

it('sends a letter to a new address again with the link that it had, which alone is stored', async () => {
  await addLetter('email-added-letter', '', { phone: to })
  answers.push({ outcome: 'unavailable', isCertain: false, cause: undefined })
  await work()
  clock.advance(hour)
  await work()
  const links = sent.map(({ text }) => /https:\S+/.exec(text)?.[0])
  expect(links).toHaveLength(2)
  expect(links[0]).toMatch(/\/email-stop\/\S{20}/)
  expect(links[1]).toBe(links[0])
  expect(sent[1]?.html).toContain(`href="${links[0]}"`)
  expect(await database.tables.selectFrom('email_stops').select('user_id').execute()).toHaveLength(1)
})

it('draws a tag for each bag that is not void, and bars only where the airway bill is known', async () => {
  await addBarcode()
  await addBag(
    database,
    { userId: 1, orderId: 7, bookingId: 8 },
    {
      leg: 1,
      awb: null,
      carriage: 'awaiting-label',
      origin: JSON.stringify(center),
      destination: JSON.stringify(agent),
    },
  )
  await addBag(database, { userId: 1, orderId: 7, bookingId: 9 }, { leg: 2, carriage: 'void' })
  await addLetter('documents', 'It was written before.')
  await work()
  const [letter] = sent
  expect(letter?.text.match(/^To: .*$/gm)).toEqual(['To: Riyadh · Branch in Al Suwaidi', 'To: Mina · وكيل'])
  expect(letter?.text).toContain('The barcode of this bag will be on the page of your order.')
  expect(letter?.pictures.filter(({ cid }) => cid.startsWith('barcode')).map(({ name }) => name)).toEqual([
    `barcode-${awb}.png`,
  ])
  expect(letter?.files.map(({ name }) => name)).toEqual(['OD-7.pdf', `${awb}.pdf`])
})
