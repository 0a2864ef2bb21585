import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { createMockPartner } from '#mock/app.ts'
import { readConfig } from '#server/platform/config.ts'
import { paymentPaths } from '#shared/wire/payment/payment.wire.ts'
import { shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import { openStubService, type Reply, urlWithoutListener } from '#test/kit/gateway/stub-service.ts'
import { openControl } from '#test/kit/programs/control.ts'
import { callScript } from '#test/kit/programs/tools.ts'
import { checkPartners } from './check-partners.ts'

async function openSimulator() {
  const gatewayUrl = urlWithoutListener
  const { app, mailServer } = createMockPartner({ identity: { deskUrl: gatewayUrl, gatewayUrl } })
  onTestFinished(async () => {
    await app.close()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const mailPort = await mailServer.listen(0, '127.0.0.1')
  const { port } = new URL(app.listeningOrigin)
  return {
    url: `http://localhost:${port}`,
    env: { MOCK_PARTNER_PORT: port, SMTP_URL: `smtp://127.0.0.1:${mailPort}` },
  }
}

it('calls every service of the simulator without a gateway and a database, and sends nothing', async () => {
  const { url, env } = await openSimulator()
  const control = openControl(url)
  const before = await control.counters()
  // The simulator loads its identity provider with the first request, which must not count against a time-out.
  await fetch(`${url}/identity/.well-known/openid-configuration`)
  const { code, out, err } = await callScript('ops', ['check-partners'], env)
  expect(err).toBe('')
  const lines = out.split('\n').map((line) => line.split(/ {2,}/))
  expect(lines.map(([name, state]) => `${name} ${state}`)).toEqual([
    'courier: branches and cities ok',
    'courier: agents ok',
    'courier: shipments ok',
    'courier: tracking ok',
    'courier: reports of scans -',
    'payments: inquiry ok',
    'payments: opening, refunds, callbacks -',
    'one-time codes ok',
    'messages by SMS ok',
    'mail ok',
    'identity provider ok',
    'push messages -',
    'Google Wallet -',
  ])
  for (const [, state, text] of lines)
    expect(text).toMatch(state === 'ok' ? / \(\d+ ms\)$/ : /^not checked: /)
  expect(code).toBe(0)
  expect(await control.counters()).toEqual({ ...before, lookups: 1 })
  expect(await (await fetch(`${url}/control/mails`)).json()).toEqual({ mails: [] })
})

const refused: Reply = { status: 401, json: {} }

async function lineOf(name: string, env: Record<string, string>): Promise<string> {
  const { lines, wrong } = await checkPartners(
    readConfig({ MOCK_PARTNER_PORT: '4', SMTP_URL: 'smtp://127.0.0.1:4', ...env }),
  )
  expect(wrong).toBe(9)
  return lines.find((line) => line.startsWith(name)) ?? ''
}

it.each<[string, string, string, string, Reply, RegExp]>([
  [
    'a wrong key of the courier',
    'SHIPPING_BASE_URL',
    shippingPaths.offices,
    'courier: branches',
    refused,
    /WRONG +answered 401: check SHIPPING_API_KEY \(/,
  ],
  [
    'an empty list',
    'SHIPPING_BASE_URL',
    shippingPaths.agents,
    'courier: agents',
    { status: 200, json: [] },
    /WRONG +the list of agents is empty: check SHIPPING_BASE_URL, and compare docs\/wires\/shipping\.md \(/,
  ],
  [
    'a path that the service does not have',
    'SHIPPING_BASE_URL',
    shippingPaths.agents,
    'courier: agents',
    { status: 404, json: {} },
    /WRONG +the partner answered 404 to \/directory\/agents: check SHIPPING_BASE_URL, and compare /,
  ],
  [
    'a wrong key of the inquiry',
    'PAYMENT_BASE_URL',
    paymentPaths.authTokens,
    'payments: inquiry',
    refused,
    /WRONG +answered 401: check PAYMENT_API_KEY \(/,
  ],
  [
    'a service that closes the connection',
    'SHIPPING_BASE_URL',
    '/api/track/statuslookup',
    'courier: tracking',
    'reset',
    /WRONG +no complete answer of 127\.0\.0\.1:\d+ \(\w+\): check SHIPPING_BASE_URL, then ask the service \(/,
  ],
])('says of %s what to do', async (_, variable, path, name, reply, expected) => {
  const service = await openStubService()
  service.always(path, reply)
  expect(await lineOf(name, { [variable]: service.url })).toMatch(expected)
})

it('finds an address of the one-time codes at which another server answers 404', async () => {
  const other = await openSimulator()
  expect(await lineOf('one-time codes', { OTP_BASE_URL: `${other.url}/payment` })).toMatch(
    /WRONG +the answer is not of Twilio: check OTP_BASE_URL, /,
  )
})

it('says that nothing listens at an address', async () => {
  expect(await lineOf('identity', { DESK_OIDC_ISSUER: '' })).toMatch(
    /WRONG +no connection to localhost:4 \(ECONNREFUSED\): check DESK_OIDC_ISSUER, DNS and the firewall \(/,
  )
})

it('says that the mail server refuses the password', async () => {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth: (_auth, _session, callback) => callback(new Error('535 5.7.8 bad')),
  })
  const opened = server.listen(0, '127.0.0.1')
  await once(opened, 'listening')
  onTestFinished(() => void server.close())
  const { port } = opened.address() as AddressInfo
  expect(await lineOf('mail', { SMTP_URL: `smtp://a:wrong@127.0.0.1:${port}` })).toMatch(
    /WRONG +the sign-in was refused: check user and password in SMTP_URL \(/,
  )
})

it('names what this environment does not use, and calls it not', async () => {
  const { lines } = await checkPartners({
    ...readConfig({ MOCK_PARTNER_PORT: '4', MESSAGES_ENABLED: 'false' }),
    SMTP_URL: undefined,
    DESK_OIDC_ISSUER: undefined,
  })
  expect(lines.join('\n')).toMatch(
    /^messages by SMS +- +not checked: MESSAGES_ENABLED is false\nmail +- +not checked: SMTP_URL is not set\nidentity provider +- +not checked: DESK_OIDC_ISSUER is not set$/m,
  )
})
