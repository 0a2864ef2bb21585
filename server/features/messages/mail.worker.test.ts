import { expect, it } from 'vitest'
import type { MailKind } from '#shared/messages/messages.schemas.ts'
import { hour, manualClock, minute } from '#test/kit/clock.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import type { MailOutcome, OutgoingMail } from './mail.provider.ts'
import { mailText } from './mail.texts.ts'
import { createMailing } from './mail.worker.ts'

const url = 'https://example.com/orders/7'
const to = 'maryam@example.com'
const awbs = ['231200021879']
const label = { name: 'label.pdf', pdf: new Uint8Array(1) }

/** A worker whose order has a barcode or not; `body` is what was written before. */
function openFixture(
  hasBarcode: boolean,
  body: string,
  kind: MailKind = 'documents',
  { isPaid = true, state = 'waiting', address = to, isWarnedBySms = false } = {},
) {
  const clock = manualClock()
  const sent: OutgoingMail[] = []
  const steps: string[] = []
  const answers: MailOutcome[] = []
  const message = { id: 1, user_id: 1, order_id: 7, kind, state, phone: to, body }
  const store = {
    writeMessage: async (_: unknown, text: object, former: string) => {
      steps.push(former === body ? 'written' : 'lost')
      return { ...message, ...text }
    },
    beginSend: async () => true,
    markMailed: async () => true,
    undoSend: async () => undefined,
  }
  const mailing = createMailing(
    {
      clock,
      log: silentLog,
      store: store as never,
      messages: { outcomes: { inc: () => undefined }, isWarnedBySms: () => isWarnedBySms } as never,
      findFacts: async () => ({ awbs, awaitsAwb: false, isPaid, receiver: 'Huda Omar' }) as never,
      findRecipient: async () => ({ email: address, language: 'en' }) as never,
      quietMs: 0,
      mail: {
        provider: {
          send: async (mail) => {
            sent.push(mail)
            return answers.shift() ?? { outcome: 'accepted' }
          },
        },
        readLabels: async () => ({ files: hasBarcode ? [label] : [], hasBarcode }),
        readReceipt: async () => {
          steps.push('receipt')
          return { name: 'receipt.pdf', pdf: new Uint8Array(1) }
        },
        urlOf: () => url,
        openStop: async () => undefined,
        domain: 'example.com',
      },
    },
    {
      heldOf: ({ message: { id }, lease }) => ({ id, lease }),
      later: async () => void steps.push('later'),
      drop: async (_, state, reason) => void steps.push(`${state}: ${reason}`),
      forget: async () => void steps.push('forget'),
      overtake: async () => void steps.push('overtaken'),
    },
  )
  const job = { message: { ...message, created_at: clock.now() }, lease: 'a', now: () => clock.elapsed() }
  return { clock, sent, steps, answers, work: () => mailing(job as never) }
}

async function run(hasBarcode: boolean, body: string) {
  const { sent, steps, work } = openFixture(hasBarcode, body)
  await work()
  return { sent, steps }
}

it('draws no receipt while the barcode is waited for', async () => {
  expect(await run(false, '')).toEqual({ sent: [], steps: ['later'] })
})

it('writes the text again where a barcode goes along that was not there before', async () => {
  const { sent, steps } = await run(
    true,
    mailText('en', { orderId: 7, awbs, hasBarcode: false, url, receiver: null }),
  )
  expect(steps).toEqual(['receipt', 'written'])
  expect(sent[0]?.text).toContain('The receipt and the barcode are attached')
  expect(sent[0]?.files.map(({ name }) => name)).toEqual(['receipt.pdf', 'label.pdf'])
})

it('writes who collects the bag, into the letter of the payment and into one of its own', async () => {
  const documents = await run(true, '')
  expect(documents.sent[0]?.text).toContain('Collected by Huda Omar.')
  const { sent, work } = openFixture(false, '', 'receiver-changed-letter')
  await work()
  expect(sent).toMatchObject([
    { subject: 'Amtiati: the receiver of your bag was changed, order OD-7', files: [] },
  ])
  expect(sent[0]?.text).toMatch(/^Order OD-7: Huda Omar now collects your bag \(.*\)\.\n/)
  expect(sent[0]?.text).toContain(url)
})

it.each([
  ['', 'overtaken'],
  ['The letter.', 'dropped: overtaken'],
])('sends nothing of an order that is not paid any more, and says so: %j', async (body, end) => {
  const { sent, steps, work } = openFixture(true, body, 'documents', { isPaid: false })
  await work()
  expect([sent, steps]).toEqual([[], [end]])
})

it('sends a letter that was not sent to the address that its person has then, and none that may have been sent', async () => {
  const address = 'other@example.com'
  const body = 'The letter.\n\nIt was written.'
  const { sent, steps, work } = openFixture(true, body, 'documents', { address })
  await work()
  expect([sent.map((mail) => mail.to), steps]).toEqual([[address], ['receipt', 'written']])
  const uncertain = openFixture(true, body, 'documents', { address, state: 'uncertain' })
  await uncertain.work()
  expect([uncertain.sent, uncertain.steps]).toEqual([[], ['dropped: not wanted']])
})

it('sends no letter about another receiver to an owner who has an SMS of it', async () => {
  const { sent, steps, work } = openFixture(false, '', 'receiver-changed-letter', { isWarnedBySms: true })
  await work()
  expect([sent, steps]).toEqual([[], ['forget']])
})

it('waits a minute for a server that was not reached, also when the clock is set back meanwhile', async () => {
  const { clock, sent, steps, answers, work } = openFixture(true, '')
  answers.push({ outcome: 'unavailable', isCertain: true, cause: undefined })
  await work()
  clock.set(-hour)
  await work()
  expect(steps.at(-1)).toBe('later')
  clock.advance(minute)
  await work()
  expect(sent).toHaveLength(2)
})

it('drops a letter of the day before as too late, by the database’s time alone', async () => {
  const wrong = openFixture(true, '')
  wrong.clock.set(72 * hour)
  await wrong.work()
  expect([wrong.sent.length, wrong.steps.includes('dropped: too late')]).toEqual([1, false])
  const late = openFixture(true, '')
  late.clock.advance(25 * hour)
  await late.work()
  expect([late.sent.length, late.steps]).toEqual([0, ['dropped: too late']])
})
