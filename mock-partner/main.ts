import { hostForBrowsers, hostFromHere } from '#shared/platform/reachable-host.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { mailPortOf } from '#shared/wire/mail/mail.wire.ts'
import { createMockPartner, type MockAccounts } from './app.ts'
import { createDemoGateway } from './platform/demo-gateway.ts'

/** An empty variable counts as one that is not set. */
const read = (name: string, otherwise: string): string => process.env[name] || otherwise

function refuse(reason: string): never {
  console.error(`mock-partner: ${reason}`)
  process.exit(1)
}

function readWholeNumber(name: string, otherwise: number, highest: number): number {
  const text = read(name, String(otherwise))
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > highest)
    refuse(`${name} must be a whole number from 0 to ${highest}, not "${text}"`)
  return number
}

if (read('MODE', 'demo') === 'live')
  refuse('this is a simulator of external services and refuses to start with MODE=live')

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const logLevel = read('LOG_LEVEL', 'warn')
if (!logLevels.includes(logLevel))
  refuse(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${logLevel}"`)

const port = readWholeNumber('MOCK_PARTNER_PORT', 4_000, 65_535)
const host = read('HOST', '127.0.0.1')
const { identity, messaging, otp, payment, shipping } = demoAccounts
const accounts: MockAccounts = {
  otp: {
    accountSid: read('OTP_ACCOUNT_SID', otp.accountSid),
    authToken: read('OTP_AUTH_TOKEN', otp.authToken),
    userServiceSid: read('OTP_USER_SERVICE_SID', otp.userServiceSid),
    agentServiceSid: read('OTP_AGENT_SERVICE_SID', otp.agentServiceSid),
  },
  payment: {
    secretKey: read('PAYMENT_SECRET_KEY', payment.secretKey),
    publicKey: read('PAYMENT_PUBLIC_KEY', payment.publicKey),
    apiKey: read('PAYMENT_API_KEY', payment.apiKey),
    hmacSecret: read('PAYMENT_HMAC_SECRET', payment.hmacSecret),
    integrationId: readWholeNumber('PAYMENT_INTEGRATION_ID', payment.integrationId, Number.MAX_SAFE_INTEGER),
  },
  messaging: {
    accountSid: read('MESSAGES_ACCOUNT_SID', messaging.accountSid),
    authToken: read('MESSAGES_AUTH_TOKEN', messaging.authToken),
    from: read('MESSAGES_FROM', messaging.from),
  },
  shipping: {
    apiKey: read('SHIPPING_API_KEY', shipping.apiKey),
    webhookKey: read('SHIPPING_WEBHOOK_KEY', shipping.webhookKey),
  },
  identity: {
    clientId: read('DESK_OIDC_CLIENT_ID', identity.clientId),
    clientSecret: read('DESK_OIDC_CLIENT_SECRET', identity.clientSecret),
  },
}

/** Under this address payment callbacks, log-outs and control calls reach the gateway, too. */
const reachable = hostFromHere(host)
const gateway = read('CALLBACK_URL', `http://${reachable}:${read('PORT', '3000')}`).replace(/\/+$/, '')

const labels = read('MOCK_LABELS', 'drawn')
if (labels !== 'drawn' && labels !== 'fixed') refuse(`MOCK_LABELS must be drawn or fixed, not "${labels}"`)

/** Without it reset and clock change the simulator alone. */
const key = read('DEMO_CONTROL_KEY', '')

const { app, mailServer } = createMockPartner({
  accounts,
  dataDir: read('DATA_DIR', './data'),
  logLevel,
  shippingLagMs: readWholeNumber('MOCK_SHIPPING_LAG_MS', 0, 86_400_000),
  knownUrls: [gateway, read('PUBLIC_URL', ''), read('PAYMENT_WIDGET_SCRIPT', '')],
  hasFixedLabel: labels === 'fixed',
  identity: {
    issuer: read(
      'DESK_OIDC_ISSUER',
      `http://${hostForBrowsers(host, read('PUBLIC_URL', ''))}:${port}/identity`,
    ),
    deskUrl: read('PUBLIC_URL', `http://${reachable}:${read('PORT', '3000')}`).replace(/\/+$/, ''),
    gatewayUrl: gateway,
  },
  trackingCallbackUrl: `${gateway}/api/tracking/callback`,
  gateway: key === '' ? undefined : createDemoGateway(gateway, key),
})

let isClosing = false
async function close(): Promise<void> {
  if (isClosing) return
  isClosing = true
  try {
    await app.close()
    process.exit(0)
  } catch (error) {
    refuse(`could not close cleanly: ${error instanceof Error ? error.message : String(error)}`)
  }
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close())

/** Listens, or ends the process with the reason. */
const listening = <T>(at: number, started: Promise<T>): Promise<T> =>
  started.catch((error: unknown) =>
    refuse(`cannot listen on ${host}:${at}: ${error instanceof Error ? error.message : String(error)}`),
  )

const address = await listening(port, app.listen({ port, host }))
const mailPort = await listening(mailPortOf(port), mailServer.listen(mailPortOf(port), host))
console.log(
  `mock-partner ready at ${address} (panel, inbox and replay at the same address; mail server at port ${mailPort})`,
)
