import { expect, it, onTestFinished } from 'vitest'
import { operationHref } from '#client/platform/operation-href.ts'
import { recordHandover, undoHandover } from '#shared/orders/handovers.operations.ts'
import { readAgentEvents, readOrder, readOrderEvents } from '#shared/orders/orders.operations.ts'
import { logout } from '#shared/sessions/sessions.operations.ts'
import { createShare, endShare, readShare, readShareEvents } from '#shared/shares/shares.operations.ts'
import { agentCodeOf, issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { engines } from '#test/kit/database/databases.ts'
import { type InProcessStack, ownStack, sharedStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'

const agentPhone = '+966500000101'

async function bagOf(stack: InProcessStack) {
  const pilgrim = await signedUpPilgrim(stack)
  const { person } = pilgrim
  const agentCode = await agentCodeOf(person, agentPhone)
  const orderId = await paidOrder(stack, pilgrim, { agentCode })
  const awb = await issuedAwb(person, orderId)
  // Then nothing changes by itself.
  await eventually(async () =>
    (await person.order(orderId)).bookings[0]?.state === 'READY' ? true : undefined,
  )
  return { person, orderId, awb, id: String(orderId) }
}

const follow = (id: string, person: Person) => person.follow(operationHref(readOrderEvents, { id }))

it.each(engines)(
  'a hand-over and its undo at another gateway are told by number alone, on %s',
  async (engine) => {
    const stack = await ownStack({ engine })
    onTestFinished(() => stack.close())
    const { person, awb, id, orderId } = await bagOf(stack)
    const { url } = await person.call(createShare, { params: { id } })
    const token = url.split('/').at(-1) ?? ''
    const other = await stack.addGateway(0)
    const agent = newPerson(stack, { gatewayUrl: other.listeningOrigin })
    const agentId = String((await agent.signInAgent(agentPhone)).id)
    const visitor = newPerson(stack)
    const [own, shared, list] = await Promise.all([
      follow(id, person),
      visitor.follow(operationHref(readShareEvents, { token })),
      newPerson(stack, { browserOf: agent }).follow(operationHref(readAgentEvents, { agentId })),
    ])
    expect([own, shared, list].map(({ status }) => status)).toEqual([200, 200, 200])
    expect(own.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    })
    expect(shared.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })

    async function expectNotices(): Promise<void> {
      expect(await own.next()).toMatchObject({ event: 'changed', data: { orderId } })
      expect(await shared.next()).toMatchObject({ event: 'changed', data: {} })
    }
    await expectNotices()
    const ask = ({ path, etag }: { path: string; etag: string }, reader: Person) =>
      reader.send('GET', path, { headers: { 'if-none-match': etag } })
    const pages = [
      { path: operationHref(readOrder, { id }), reader: person, etag: 'W/"none"' },
      { path: operationHref(readShare, { token }), reader: visitor, etag: 'W/"none"' },
    ]
    /** Each page asks again with the ETag that it has. */
    async function expectPages(isChanged: boolean): Promise<void> {
      for (const page of pages) {
        const { status, headers, bytes } = await ask(page, page.reader)
        const etag = headers.get('etag')
        expect([status, bytes.length > 0, etag !== page.etag]).toEqual([
          isChanged ? 200 : 304,
          isChanged,
          isChanged,
        ])
        expect(headers.get('cache-control')).toBe('no-store')
        page.etag = etag ?? ''
      }
    }
    await expectPages(true)
    await expectPages(false)
    for (const change of [
      () => agent.call(recordHandover, { body: { awb } }),
      () => agent.call(undoHandover, { params: { awb } }),
    ]) {
      await change()
      expect(await list.next()).toMatchObject({ event: 'changed', data: { orderId } })
      await expectNotices()
      await expectPages(true)
      await expectPages(false)
    }
    expect(own.others).toEqual(['retry: 3000'])

    // An ETag opens nothing that is closed.
    const [ownPage, sharedPage] = pages as [(typeof pages)[number], (typeof pages)[number]]
    const stranger = await signedUpPilgrim(stack)
    expect((await ask(ownPage, stranger.person)).status).toBe(404)
    await person.call(endShare, { params: { id } })
    await eventually(async () => ((await shared.next())?.event === 'closing' ? true : undefined))
    expect(await shared.next()).toBeUndefined()
    expect((await ask(sharedPage, visitor)).status).toBe(404)
    await person.call(logout)
    expect((await ask(ownPage, person)).status).toBe(401)
    list.leave()
  },
)

/** The next event that is no notice: a gateway that has just begun to listen sends one more. */
async function afterNotices(stream: Awaited<ReturnType<typeof follow>>) {
  for (;;) {
    const event = await stream.next()
    if (event?.event !== 'changed') return event
  }
}

it('a sign-out ends the streams of its session, on another gateway, too, and those of no other', async () => {
  const stack = await sharedStack()
  const { person, id } = await bagOf(stack)
  const other = await stack.addGateway(0)
  const elsewhere = newPerson(stack, { browserOf: person, gatewayUrl: other.listeningOrigin })
  const [here, there] = [await follow(id, person), await follow(id, elsewhere)]
  const neighbour = await bagOf(stack)
  const theirs = await follow(neighbour.id, neighbour.person)
  for (const each of [here, there, theirs]) expect(await each.next()).toMatchObject({ event: 'changed' })
  await person.call(logout)
  for (const each of [here, there]) expect(await afterNotices(each)).toMatchObject({ event: 'closing' })
  expect((await follow(id, elsewhere)).status).toBe(401)
  await neighbour.person.call(createShare, { params: { id: neighbour.id } })
  theirs.leave()
})

it('a fourth stream of a session is refused in words, and a page that is left frees its own', async () => {
  const stack = await sharedStack()
  const { person, id } = await bagOf(stack)
  const streams = [await follow(id, person), await follow(id, person), await follow(id, person)]
  const refused = await follow(id, person)
  expect(refused.status).toBe(503)
  expect(refused.headers['retry-after']).toBe('10')
  expect(await refused.json()).toMatchObject({ success: false, code: 'TOO_MANY_STREAMS' })
  streams[0]?.leave()
  const again = await eventually(async () => {
    const stream = await follow(id, person)
    return stream.status === 200 ? stream : undefined
  })
  for (const each of [...streams, again]) each.leave()
})

it('a stream holds up no stop, and is no request in progress', async () => {
  const stack = await ownStack({ limits: { maxRequests: 2 } })
  const { person, id } = await bagOf(stack)
  await Promise.all([follow(id, person), follow(id, person)])
  const stream = await follow(id, person)
  expect(await stream.next()).toMatchObject({ event: 'changed' })
  expect(await person.order(id)).toMatchObject({ status: 'PAID' })
  await stack.close()
  expect(await stream.next()).toMatchObject({ event: 'closing', data: {} })
  expect(await stream.next()).toBeUndefined()
})

it('where none are allowed, each is refused, and the plain calls serve', async () => {
  const stack = await ownStack({ env: { EVENT_STREAMS: '0' } })
  const { person, id } = await bagOf(stack)
  expect((await follow(id, person)).status).toBe(503)
  expect(await person.order(id)).toMatchObject({ status: 'PAID' })
  await stack.close()
})
