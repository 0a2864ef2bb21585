import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Config, readConfig } from '#server/platform/config.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import { urlWithoutListener } from '#test/kit/gateway/stub-service.ts'
import { type Stack, stackEnv } from '#test/kit/programs/stack.ts'
import { builtClient } from '#test/kit/repo/repo-files.ts'
import { comparePaymentPage } from '../../scripts/ops/payment-page.ts'

let stack: Stack
let config: Config
beforeAll(async () => {
  builtClient()
  stack = await ownStack()
  config = readConfig({
    ...stackEnv,
    PORT: new URL(stack.gatewayUrl).port,
    MOCK_PARTNER_PORT: new URL(stack.mockUrl).port,
  })
})
afterAll(() => stack?.close())

interface Sent {
  headers: Headers
  body: Buffer
}

/** A proxy in front of the gateway that changes answers of one path. @returns its address. */
async function tamperingProxy(path: RegExp, change: (sent: Sent) => void): Promise<string> {
  const server = createServer(async ({ url = '' }, response) => {
    const answer = await fetch(`${stack.gatewayUrl}${url}`)
    const sent = { headers: new Headers(answer.headers), body: Buffer.from(await answer.arrayBuffer()) }
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
      sent.headers.delete(name)
    if (path.test(url)) change(sent)
    response.writeHead(answer.status, Object.fromEntries(sent.headers)).end(sent.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const differencesOf = ({ lines }: Awaited<ReturnType<typeof comparePaymentPage>>) =>
  lines.filter((line) => line.startsWith('DIFFERENT'))

it('the payment page is what its build and its configuration make of it', async () => {
  expect(differencesOf(await comparePaymentPage(config))).toEqual([])
  const origin = await tamperingProxy(/never/, () => undefined)
  const { lines, differences } = await comparePaymentPage(config, { origin })
  expect(differencesOf({ lines, differences })).toEqual([])
  expect(differences).toBe(0)
  expect(lines.join('\n')).toMatch(/\/assets\/payment\.page-[\w-]{8}\.js sha384-/)
})

it.each<[string, RegExp, (sent: Sent) => void, RegExp]>([
  [
    'a script that was added to the document',
    /^\/payment/,
    (sent) => {
      sent.body = Buffer.from(sent.body.toString().replace('</head>', '<script src="/x.js"></script></head>'))
    },
    /\/payment\?lang=ar: the document/,
  ],
  [
    'a policy that was weakened',
    /^\/payment/,
    ({ headers }) =>
      headers.set('content-security-policy', `${headers.get('content-security-policy')}; script-src *`),
    /header content-security-policy/,
  ],
  [
    'a header that is missing',
    /^\/payment/,
    ({ headers }) => headers.delete('x-content-type-options'),
    /nosniff/,
  ],
  [
    'a byte of a script',
    /\/assets\/payment\.page-/,
    (sent) => {
      sent.body = Buffer.concat([sent.body, Buffer.from(' ')])
    },
    /\/assets\/payment\.page-/,
  ],
  [
    'another widget in the configuration',
    /^\/api\/config/,
    (sent) => {
      const { widget, ...rest } = JSON.parse(sent.body.toString())
      sent.body = Buffer.from(
        JSON.stringify({ ...rest, widget: { ...widget, script: 'https://evil.example/' } }),
      )
    },
    /evil\.example/,
  ],
])('%s is found', async (_, path, change, difference) => {
  const found = await comparePaymentPage(config, { origin: await tamperingProxy(path, change) })
  expect(found.differences).toBeGreaterThan(0)
  expect(differencesOf(found).join('\n')).toMatch(difference)
})

it('a site that does not answer is named', async () => {
  await expect(comparePaymentPage(config, { origin: urlWithoutListener })).rejects.toThrow(
    `${urlWithoutListener} does not answer`,
  )
})

it('a script of the provider that is not the one of PAYMENT_WIDGET_INTEGRITY is found', async () => {
  const other = { ...config, PAYMENT_WIDGET_INTEGRITY: `sha384-${'A'.repeat(64)}` }
  expect(differencesOf(await comparePaymentPage(other)).join('\n')).toContain(config.PAYMENT_WIDGET_SCRIPT)
  const { lines } = await comparePaymentPage(config)
  const [, hash = ''] = /^unchecked .* (sha384-\S+)$/m.exec(lines.join('\n')) ?? []
  const right = await comparePaymentPage({ ...config, PAYMENT_WIDGET_INTEGRITY: hash })
  // The gateway itself has no integrity: that is the one difference.
  expect(differencesOf(right)).toEqual([expect.stringContaining('/api/config: the widget')])
})
