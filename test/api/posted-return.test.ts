import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '#shared/platform/pages.ts'
import { openRows } from '#test/kit/database/rows.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { ask, headerOf } from '#test/kit/gateway/raw-http.ts'

const form = 'application/x-www-form-urlencoded'
const query = 'id=77&success=true&merchant_order_id=OD-42'

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack()
})
afterAll(() => stack?.close())

interface Posted {
  readonly target?: string
  readonly type?: string
  readonly body?: string
  readonly from?: readonly [string, string]
}

function post({
  target = pages.thankYou,
  type = form,
  body = '',
  from = ['sec-fetch-site', 'cross-site'],
}: Posted) {
  return ask(stack.gatewayUrl, {
    method: 'POST',
    target,
    headers: [from, ['content-type', type], ['content-length', String(Buffer.byteLength(body))]],
    body,
  })
}

/** The address that the answer redirects to with GET; the status of any other answer. */
async function leadsTo(posted: Posted): Promise<string | number> {
  const answer = await post(posted)
  return answer.status === 303 ? (headerOf(answer, 'location') ?? '') : answer.status
}

describe('a bank that returns by POST', () => {
  it.each([
    ['another site', ['sec-fetch-site', 'cross-site']],
    ['an older browser', ['origin', 'https://acs.bank.example']],
    ['a hidden origin', ['origin', 'null']],
  ] as const)('gets the page with the query of its address, from %s', async (_, from) => {
    const location = await leadsTo({ target: `${pages.thankYou}?${query}`, from })
    expect(location).toBe(`${pages.thankYou}?${query}`)
    const page = await fetch(`${stack.gatewayUrl}${location}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
  })

  it('gets the page with what the page reads of the body', async () => {
    const body = `amount_cents=1&${query}&next=https://evil.example&merchant_order_id=OD-43`
    expect(await leadsTo({ body })).toBe(`${pages.thankYou}?success=true&merchant_order_id=OD-42`)
  })

  it('is believed by its address before its body', async () => {
    const location = await leadsTo({
      target: `${pages.thankYou}?success=false`,
      body: 'success=true&merchant_order_id=OD-42',
    })
    expect(location).toBe(`${pages.thankYou}?success=false&merchant_order_id=OD-42`)
  })

  it.each(['', '"><script>', 'a b', 'x'.repeat(65), 'OD-42\r\nset-cookie: a=b', '//evil.example'])(
    'has no value %j passed on from its body',
    async (value) => {
      const body = String(new URLSearchParams({ merchant_order_id: value }))
      expect(await leadsTo({ body })).toBe(pages.thankYou)
    },
  )

  it.each(['multipart/form-data; boundary=x', 'text/plain'])(
    'gets the page whatever a form of type %s holds',
    async (type) => {
      const target = `${pages.thankYou}?success=false`
      expect(await leadsTo({ target, type, body: 'success=true' })).toBe(target)
    },
  )

  it('changes nothing, and leads nowhere else', async () => {
    const rows = openRows(stack)
    try {
      const state = async () => [
        await rows.snapshot(),
        await rows.read(sql`select count(*) as count from payment_events`),
      ]
      const before = await state()
      await post({ body: query })
      expect(await leadsTo({ target: `${pages.thankYou}?next=//evil.example` })).toMatch(/^\/thank-you\?/)
      expect(await state()).toEqual(before)
    } finally {
      await rows.close()
    }
  })
})

describe('what is refused', () => {
  it('is a body that no form of a bank has', async () => {
    expect(await leadsTo({ body: `success=${'x'.repeat(16 * 1024)}` })).toBe(413)
    expect(await leadsTo({ type: 'application/json', body: '{"success":true}' })).toBe(415)
    expect(await leadsTo({ type: 'application/x-www-form-urlencodedx', body: 'success=true' })).toBe(415)
  })

  it.each(Object.values(pages).filter((page) => page !== pages.thankYou))(
    'is a POST from another site to %s',
    async (page) => {
      expect(await leadsTo({ target: page.replace(/:\w+/, '1'), body: query })).toBe(403)
    },
  )

  it.each(['/thank-you/', '/Thank-You', '/thank-you/x', '//thank-you', '/api/thank-you'])(
    'is a POST to %s',
    async (target) => {
      expect(await leadsTo({ target, body: query })).toBe(403)
    },
  )

  it.each(['PUT', 'PATCH', 'DELETE'])('is %s of the page', async (method) => {
    const { status } = await ask(stack.gatewayUrl, {
      method,
      target: pages.thankYou,
      headers: [['sec-fetch-site', 'cross-site']],
    })
    expect(status).toBe(404)
  })
})
