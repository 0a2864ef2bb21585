import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readList, readMessage, readSend, readStatus } from './messages.provider.map.ts'

const sample = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../shared/wire/messaging/samples/${name}.json`, import.meta.url), 'utf8'),
  )
const queued = sample('message.queued')
const sid = queued.sid as string
const createdAt = Date.parse('2026-05-27T09:30:00Z')
const search = { phone: queued.to, body: queued.body, since: createdAt, except: null }
const page = (...messages: unknown[]) => ({ status: 200, body: { messages } })

describe('the answer to a send', () => {
  it('is an accepted message, also with unknown, missing and odd fields', () => {
    const accepted = { outcome: 'accepted', report: { ref: sid, status: 'queued' } }
    expect(readSend({ status: 201, body: queued })).toEqual(accepted)
    expect(readSend({ status: 200, body: { sid } })).toEqual(accepted)
    expect(readSend({ status: 201, body: { ...queued, status: 'invented', error_code: 'x' } })).toEqual(
      accepted,
    )
  })

  it.each([
    ['messaging-error.invalid-to', 400, 'phone', 21211],
    ['messaging-error.opted-out', 400, 'opted-out', 21610],
    ['messaging-error.authenticate', 401, 'account', 20003],
  ])('%s is a refusal with its reason', (name, status, reason, code) => {
    expect(readSend({ status, body: sample(name) })).toEqual({ outcome: 'refused', fault: { reason, code } })
  })

  it.each([
    [21408, 400, 'setup'],
    [21606, 400, 'setup'],
    [21657, 400, 'setup'],
    [21612, 400, 'phone'],
    [21614, 400, 'phone'],
    [20429, 429, 'busy'],
    [99999, 400, 'other'],
    [99999, 403, 'account'],
    [99999, 429, 'busy'],
  ])('code %i with status %i is a refusal: %s', (code, status, reason) => {
    expect(readSend({ status, body: { code } })).toMatchObject({
      outcome: 'refused',
      fault: { reason, code },
    })
    expect(readSend({ status, body: { code: String(code) } })).toMatchObject({ fault: { reason } })
  })

  it('a 4xx without a code is a refusal', () => {
    expect(readSend({ status: 404, body: undefined })).toEqual({
      outcome: 'refused',
      fault: { reason: 'other', code: null },
    })
  })

  it.each([
    [500, { code: 20500 }],
    [503, undefined],
    [502, '<html>'],
    [408, undefined],
    [201, undefined],
    [201, { sid: '' }],
    [302, undefined],
  ])('status %i with %j may hide an accepted message', (status, body) => {
    expect(readSend({ status, body })).toEqual({ outcome: 'unavailable', isCertain: false })
  })
})

describe('the look-up', () => {
  it('finds the message with the same phone and text', () => {
    expect(readList({ status: 200, body: sample('message-list.one') }, search)).toEqual({
      ref: sid,
      status: 'queued',
    })
    expect(readList(page({ sid, to: 'whatsapp:+966500000001', body: queued.body }), search)).toMatchObject({
      ref: sid,
    })
  })

  it('does not take another phone, another text, an older message or the former one for it', () => {
    expect(readList(page({ ...queued, to: '+966500000002' }), search)).toBeUndefined()
    expect(readList(page({ ...queued, body: 'another' }), search)).toBeUndefined()
    expect(readList(page(queued), { ...search, since: createdAt + 6 * 60_000 })).toBeUndefined()
    expect(readList(page(queued), { ...search, except: sid })).toBeUndefined()
    expect(readList(page(), search)).toBeUndefined()
  })

  it('tolerates a difference of clocks, and a message whose time is missing or cannot be', () => {
    expect(readList(page(queued), { ...search, since: createdAt + 4 * 60_000 })).toBeDefined()
    for (const date_created of [null, '', 'Mon, 01 Jan 0001 00:00:00 +0000', '1970-01-01T00:00:00Z'])
      expect(readList(page({ ...queued, date_created }), { ...search, since: createdAt * 2 })).toBeDefined()
  })

  it('says nothing when the page or an entry cannot be read', () => {
    expect(readList({ status: 200, body: {} }, search)).toBe('unreadable')
    expect(readList({ status: 503, body: { messages: [] } }, search)).toBe('unreadable')
    expect(readList(page({ sid: 1 }), search)).toBe('unreadable')
    expect(readList(page({ sid: 1 }, queued), search)).toMatchObject({ ref: sid })
  })
})

it('a read answers the status, and that a message is unknown', () => {
  expect(readMessage({ status: 200, body: sample('message.undelivered') })).toEqual({
    ref: sid,
    status: 'failed',
    fault: { reason: 'unreachable', code: 30003 },
  })
  expect(readMessage({ status: 404, body: undefined })).toBeUndefined()
  expect(readMessage({ status: 500, body: queued })).toBe('unreadable')
  expect(readMessage({ status: 200, body: [] })).toBe('unreadable')
})

it('a status callback names the message and its status', () => {
  expect(readStatus(sample('status-callback.delivered'))).toEqual({ ref: sid, status: 'delivered' })
  expect(readStatus({ SmsSid: sid, SmsStatus: 'undelivered', ErrorCode: '30007' })).toEqual({
    ref: sid,
    status: 'failed',
    fault: { reason: 'filtered', code: 30007 },
  })
  expect(readStatus({ MessageSid: sid, MessageStatus: 'failed' })).toMatchObject({
    fault: { reason: 'other' },
  })
  expect(readStatus({ MessageSid: sid })).toBeUndefined()
  expect(readStatus({})).toBeUndefined()
})
