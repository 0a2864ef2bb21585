import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationHref } from '#client/platform/operation-href.ts'
import { readHandoverPhoto, recordHandover, storeHandoverPhoto } from '#shared/orders/handovers.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import { pages } from '#shared/platform/pages.ts'
import { createShare } from '#shared/shares/shares.operations.ts'
import {
  agentCodeOf,
  issuedAwb,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import { openRows } from '#test/kit/database/rows.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson } from '#test/kit/gateway/person.ts'

let stack: InProcessStack
let owner: Pilgrim
let orderId: number
let token: string
let awb: string
const agentPhone = '+966500000101'

beforeAll(async () => {
  stack = await ownStack()
  owner = await signedUpPilgrim(stack, { name: 'Fatimah Noor' })
  const agentCode = await agentCodeOf(owner.person, agentPhone)
  orderId = await paidOrder(stack, owner, { agentCode })
  awb = await issuedAwb(owner.person, orderId)
  const { url } = await owner.person.call(createShare, { params: { id: String(orderId) } })
  token = url.split('/').at(-1) ?? ''
})
afterAll(() => stack?.close())

const pagePath = () => pages.track.replace(':token', token)

describe('a shared link', () => {
  it('is in no log line, no metric and no cell of the database, also where a page or a report names it', async () => {
    const visitor = newPerson(stack)
    await visitor.send('GET', `/api/track/${token}`)
    await fetch(`${stack.gatewayUrl}${pagePath()}`)
    await fetch(`${stack.gatewayUrl}/api/track/${token}x`)
    await fetch(`${stack.gatewayUrl}/api/track/${token}x/events`)
    const opened = await visitor.follow(`/api/track/${token}/events`)
    expect(await opened.next()).toMatchObject({ event: 'changed' })
    opened.leave()
    await fetch(`${stack.gatewayUrl}/api/reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/csp-report' },
      body: JSON.stringify({ 'csp-report': { 'document-uri': `${stack.gatewayUrl}${pagePath()}` } }),
    })
    const metrics = await (await fetch(`${stack.gatewayUrl}/metrics`)).text()
    expect(metrics).toContain('/api/track/:token/events')
    expect(metrics).not.toContain(token)
    const rows = openRows(stack)
    try {
      const cells = await rows.cells()
      expect(cells.filter(({ text }) => text.includes(token)).map(({ column }) => column)).toEqual([])
    } finally {
      await rows.close()
    }
    const log = stack
      .logs()
      .filter((line) => line.startsWith('gateway: '))
      .join('\n')
    expect(log).toContain('/track/[redacted]')
    expect(log).not.toContain(token)
  })

  it('shows no picture of the bag, and says of none', async () => {
    const agent = newPerson(stack)
    await agent.signInAgent(agentPhone)
    await agent.call(recordHandover, { body: { awb } })
    const sent = await agent.send('PUT', operationHref(storeHandoverPhoto, { awb }), {
      rawBody: photoOf(),
      headers: { 'content-type': 'image/jpeg' },
    })
    expect(sent.status).toBe(200)
    const [booking] = (await owner.person.order(orderId)).bookings
    expect(booking).toHaveProperty('photo')
    const visitor = newPerson(stack)
    const seen = await visitor.send('GET', `/api/track/${token}`)
    expect(JSON.stringify(seen.json)).not.toMatch(/photo/i)
    const path = operationHref(readHandoverPhoto, { id: orderId, awb })
    for (const cookie of [undefined, `session=${token}`]) {
      const { status, json } = await visitor.send('GET', path, { headers: { cookie } })
      expect([status, json]).toMatchObject([401, { code: 'NOT_SIGNED_IN' }])
    }
    expect((await owner.person.send('GET', path)).status).toBe(200)
  })

  it('is previewed by its address alone: the document of one that does not exist is the same', async () => {
    const documentOf = async (secret: string, query: string) => {
      const answer = await fetch(`${stack.gatewayUrl}/track/${secret}${query}`)
      return (await answer.text()).replace(/nonce="[^"]+"/g, '')
    }
    for (const query of ['', '?city=Riyadh&lang=en', '?city=Nowhere'])
      expect(await documentOf(token, query)).toBe(await documentOf('A'.repeat(43), query))

    const html = await documentOf(token, '?city=Riyadh&lang=en')
    const said = new Map(
      [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/g)].map(
        ([, name = '', content = '']) => [name, content],
      ),
    )
    expect(Object.fromEntries(said)).toEqual({
      'og:site_name': 'Amtiati',
      'og:title': 'A bag to Riyadh',
      'og:description': brand.description.en,
      'og:type': 'website',
      'og:locale': 'en_US',
      'og:image': `${stack.gatewayUrl}/previews/ruh.en.png`,
      'og:image:alt': 'A bag to Riyadh',
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
    })
    expect(await documentOf(token, '?city=Nowhere')).toContain(`${stack.gatewayUrl}/previews/bag.ar.png`)
    const picture = await fetch(said.get('og:image') ?? '')
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=3600',
    })
  })
})
