import { describe, expect, it } from 'vitest'
import { createClock } from './clock.ts'
import { createIdSequence } from './ids.ts'
import type { JournalEntry } from './journal.entry.ts'
import { createMasks } from './journal.masks.ts'
import { createJournal, type Exchange, journalLimits } from './journal.ts'
import { noReferences } from './references.ts'

const masks = createMasks({
  otp: { authToken: 's3cret+key' },
  messaging: { authToken: '' },
  payment: { secretKey: '', apiKey: '', hmacSecret: '' },
  shipping: { apiKey: '', webhookKey: '' },
  identity: { clientSecret: '' },
})

function setUp(limits: Parameters<typeof createJournal>[0]['limits'] = journalLimits) {
  const journal = createJournal({ ids: createIdSequence(createClock(() => 0)), masks, limits })
  return { journal, list: (limit = 100) => journal.list({}, limit) }
}

const exchange = (body: string | null, changes: Partial<Exchange> = {}): Exchange => ({
  at: 0,
  direction: 'in',
  service: 'payment',
  operation: 'refund',
  ...noReferences(),
  request: { method: 'POST', url: '/refund', headers: {}, body },
  response: null,
  error: null,
  durationMs: 1.26,
  fault: null,
  callback: null,
  ...changes,
})

const bodies = (entries: readonly JournalEntry[]) => entries.map(({ request }) => request.body?.text)

describe('the journal', () => {
  it('keeps the newest entries, within its numbers of entries and of characters', () => {
    const { journal, list } = setUp({ entries: 3, charactersPerBody: 10, charactersOfBodies: 16 })
    for (const body of ['1', '2', '3', '4']) journal.add(exchange(body))
    expect(bodies(list())).toEqual(['4', '3', '2'])
    expect(bodies(list(2))).toEqual(['4', '3'])
    journal.add(exchange('aaaaaaaaaa'))
    journal.add(exchange('bbbbbbbbbb'))
    expect(bodies(list())).toEqual(['bbbbbbbbbb'])
  })

  it('cuts a long body, shortens a long text in it, and says its size', () => {
    const { journal, list } = setUp({ entries: 3, charactersPerBody: 300, charactersOfBodies: 1_000 })
    journal.add(exchange('é'.repeat(301)))
    journal.add(exchange(JSON.stringify({ awbFile: 'A'.repeat(5_000), awb: '1' })))
    expect(list().map(({ request }) => request.body)).toEqual([
      { text: `{"awbFile":"${'A'.repeat(80)}…","awb":"1"}`, bytes: 5_024, isCut: true },
      { text: 'é'.repeat(300), bytes: 602, isCut: true },
    ])
  })

  it('hides secrets in headers, addresses and bodies, also where a body is cut inside one', () => {
    const { journal, list } = setUp({ entries: 3, charactersPerBody: 40, charactersOfBodies: 1_000 })
    const url = '/v1/sau_csk_abc/?api_key=abc&code=1234'
    const headers = { authorization: 'Token abc', 'x-other': 's3cret+key', 'x-none': undefined }
    journal.add(
      exchange('api_key=abc&code=1234', {
        request: { method: 'POST', url, headers, body: 'api_key=abc&code=1234' },
      }),
    )
    journal.add(exchange(`{"code":"1234","api_key": "${'x'.repeat(80)}"}`))
    const [cut, form] = list()
    expect(form?.request).toEqual({
      method: 'POST',
      url: '/v1/sau_csk_***/?api_key=***&code=1234',
      headers: { authorization: '***', 'x-other': '***' },
      body: { text: 'api_key=***&code=1234', bytes: 21, isCut: false },
    })
    expect(cut?.request.body?.text).toBe('{"code":"1234","api_key": "***')
  })

  it('finds entries by order, phone, reference, service, time and id', () => {
    const { journal } = setUp()
    journal.add(exchange('a', { orders: [1, 2], refs: ['AM-1'] }))
    journal.add(exchange('b', { at: 5_000, service: 'otp', phone: '+966512345678' }))
    journal.add(exchange('c', { orders: [2] }))
    const found = (filter: Parameters<typeof journal.list>[0]) => bodies(journal.list(filter, 10))
    expect(found({ order: 2 })).toEqual(['c', 'a'])
    expect(found({ order: 1 })).toEqual(['a'])
    expect(found({ phone: '+966512345678' })).toEqual(['b'])
    expect(found({ ref: 'AM-1' })).toEqual(['a'])
    expect(found({ ref: '2' })).toEqual(['c', 'a'])
    expect(found({ service: 'otp' })).toEqual(['b'])
    expect(found({ since: 5_000 })).toEqual(['b'])
    const [newest, middle] = journal.list({}, 10)
    expect(found({ afterId: middle?.id })).toEqual(['c'])
    expect(newest).toMatchObject({ order: 2, orders: [2], durationMs: 1.3 })
    expect(journal.list({ order: 1 }, 1)[0]).toMatchObject({ order: null, orders: [1, 2] })
  })

  it('tells subscribers what fits, and that it was emptied', () => {
    const { journal, list } = setUp()
    const news: (string | undefined)[] = []
    const end = journal.subscribe({ service: 'otp' }, (each) =>
      news.push(each === 'reset' ? each : each.request.body?.text),
    )
    journal.add(exchange('a'))
    journal.add(exchange('b', { service: 'otp' }))
    journal.reset()
    end()
    journal.add(exchange('c', { service: 'otp' }))
    expect(news).toEqual(['b', 'reset'])
    expect(bodies(list())).toEqual(['c'])
  })
})
