import type { AddressInfo } from 'node:net'
import twilio from 'twilio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { buildPartner } from '#test/builders/mock-partner.builder.ts'

/** The provider's published client, given the simulator's address. */

const { accountSid, authToken, from } = demoAccounts.messaging
const to = '+966512345678'
const statusCallback = 'https://shop.example/api/messages/callback?message=7'
const serviceAddress = 'https://api.twilio.com'

async function openClient(token: string = authToken) {
  const partner = buildPartner()
  await partner.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => partner.app.close())
  const { port } = partner.app.server.address() as AddressInfo
  class Redirected extends twilio.RequestClient {
    override request: twilio.RequestClient['request'] = (options) => {
      expect(options.uri.startsWith(serviceAddress)).toBe(true)
      const uri = options.uri.replace(serviceAddress, `http://127.0.0.1:${port}/messaging`)
      return super.request({ ...options, uri })
    }
  }
  const client = twilio(accountSid, token, { httpClient: new Redirected({ keepAlive: false }) })
  const pass = async (ms: number) => {
    partner.clock.advance(ms)
    await partner.scheduler.wake()
  }
  return { ...partner, messages: client.messages, pass }
}

/** The fields of the error that the client throws. */
async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(twilio.RestException)
  const { status, code } = error as InstanceType<typeof twilio.RestException>
  return [status, code]
}

describe('the provider’s own client', () => {
  it('sends a message, reads it, and finds it in the list', async () => {
    const { messages, pass } = await openClient()
    const sent = await messages.create({ to, from, body: 'وصلت حقيبتك', statusCallback })
    expect(sent).toMatchObject({
      to,
      from,
      body: 'وصلت حقيبتك',
      status: 'queued',
      numSegments: '1',
      errorCode: null,
      dateSent: null,
    })
    expect(sent.sid).toMatch(/^SM[0-9a-f]{32}$/)
    expect(sent.dateCreated).toEqual(new Date('2026-05-27T09:30:00Z'))
    await pass(1_000)
    await pass(1_000)
    expect(await messages(sent.sid).fetch()).toMatchObject({ status: 'delivered', errorCode: null })
    await messages.create({ to: '+966512345679', from, body: 'another' })
    const found = await messages.list({ to, pageSize: 50 })
    expect(found.map(({ sid }) => sid)).toEqual([sent.sid])
    expect(await messages.list()).toHaveLength(2)
  })

  it('confirms the signature of each status callback', async () => {
    const { messages, pass, caught } = await openClient()
    const { sid } = await messages.create({ to, from, body: 'x', statusCallback })
    await pass(1_000)
    await pass(1_000)
    expect(caught.map(({ body }) => (body as Record<string, string>).MessageStatus)).toEqual([
      'sent',
      'delivered',
    ])
    for (const { url, body, headers } of caught) {
      expect(url).toBe(statusCallback)
      const fields = body as Record<string, string>
      expect(fields).toMatchObject({ MessageSid: sid, AccountSid: accountSid, To: to, From: from })
      const signature = headers?.['x-twilio-signature'] ?? ''
      expect(twilio.validateRequest(authToken, signature, url, fields)).toBe(true)
      expect(twilio.validateRequest('another', signature, url, fields)).toBe(false)
    }
  })

  it.each([
    ['+15005550001', 21211],
    ['+15005550002', 21612],
    ['+15005550003', 21408],
    ['+15005550004', 21610],
    ['+15005550009', 21614],
    ['+966500021610', 21610],
    ['no number', 21211],
  ])('is refused the receiver %s with %i', async (receiver, code) => {
    const { messages } = await openClient()
    expect(await refusalOf(messages.create({ to: receiver, from, body: 'x' }))).toEqual([400, code])
  })

  it.each([
    ['+15005550001', 400, 21212],
    ['+15005550007', 400, 21606],
    ['+15005550008', 429, 21611],
    ['Another', 400, 21606],
  ])('is refused the sender %s', async (sender, status, code) => {
    const { messages } = await openClient()
    expect(await refusalOf(messages.create({ to, from: sender, body: 'x' }))).toEqual([status, code])
  })

  it('is told later that a phone was switched off', async () => {
    const { messages, pass, caught } = await openClient()
    const { sid } = await messages.create({ to: '+966500030003', from, body: 'x', statusCallback })
    await pass(1_000)
    await pass(1_000)
    expect(await messages(sid).fetch()).toMatchObject({ status: 'undelivered', errorCode: 30003 })
    expect(caught.at(-1)?.body).toMatchObject({ MessageStatus: 'undelivered', ErrorCode: '30003' })
  })

  it('is refused wrong credentials, an unknown message, and a text that is too long', async () => {
    const { messages } = await openClient()
    expect(await refusalOf((await openClient('wrong')).messages.list())).toEqual([401, 20003])
    expect(await refusalOf(messages(`SM${'0'.repeat(32)}`).fetch())).toEqual([404, 20404])
    expect(await refusalOf(messages.create({ to, from, body: 'x'.repeat(1_601) }))).toEqual([400, 21617])
    expect(await refusalOf(messages.create({ to, from, body: '' }))).toEqual([400, 21602])
  })

  it('sends through a messaging service', async () => {
    const { messages } = await openClient()
    const messagingServiceSid = `MG${'0'.repeat(32)}`
    expect(await messages.create({ to, messagingServiceSid, body: 'x' })).toMatchObject({
      status: 'accepted',
      from: null,
      messagingServiceSid,
    })
  })
})

describe('the control API', () => {
  it('shows messages of a phone, newest first, with their callbacks, and reset empties them', async () => {
    const { messages, pass, app } = await openClient()
    const read = async (path: string) => (await app.inject({ url: `/control${path}` })).json()
    await messages.create({ to, from, body: 'first', statusCallback })
    await messages.create({ to, from, body: 'second' })
    await messages.create({ to: '+966512345679', from, body: 'another' })
    await pass(1_000)
    const shown = (await read(`/messages?phone=${encodeURIComponent(to)}`)).messages
    expect(shown).toMatchObject([
      { phone: to, text: 'second', status: 'sent', errorCode: null, callbacks: [] },
      { phone: to, text: 'first', callbacks: [{ state: 'delivered', status: 200 }] },
    ])
    expect((await read('/messages')).messages).toHaveLength(3)
    expect(await read('/texts?q=0512345679')).toMatchObject({ total: 1, texts: [{ text: 'another' }] })
    expect((await read('/counters')).messages).toBe(3)
    await app.inject({ method: 'POST', url: '/control/reset' })
    expect((await read('/messages')).messages).toEqual([])
  })

  it('fails the service alone, and a lost answer still sends', async () => {
    const { messages, app } = await openClient()
    const put = (payload: object) => app.inject({ method: 'PUT', url: '/control/faults/messaging', payload })
    await put({ kind: 'status', status: 503, count: 1 })
    expect((await refusalOf(messages.create({ to, from, body: 'x' })))[0]).toBe(503)
    await put({ kind: 'lose-answer', count: 1 })
    await expect(messages.create({ to, from, body: 'x' })).rejects.toThrow()
    expect(await messages.list({ to })).toHaveLength(1)
  })

  it('continues after a restart', async () => {
    const { messages, messaging } = await openClient()
    await messages.create({ to, from, body: 'x', statusCallback })
    const after = buildPartner()
    after.messaging.restore(structuredClone(messaging.snapshot()))
    after.clock.advance(1_000)
    await after.scheduler.wake()
    after.clock.advance(1_000)
    await after.scheduler.wake()
    expect(after.messaging.list(to, 10)).toMatchObject([{ status: 'delivered' }])
    expect(after.caught).toHaveLength(2)
  })
})
