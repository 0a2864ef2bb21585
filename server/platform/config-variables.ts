import Type, { type TSchemaOptions } from 'typebox'
import { bookingTypes, defaultBookingType } from '#shared/orders/booking-types.ts'
import { brand } from '#shared/platform/brand.ts'
import { codeChannels } from '#shared/platform/code-channels.ts'
import { codeLength } from '#shared/platform/code-length.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import {
  cancellationTerms,
  databaseUrl,
  date,
  duration,
  issuer,
  parsed,
  parseProxies,
  printedLine,
  pushKey,
  type Shape,
  secret,
  smtpUrl,
  someOf,
  transitDays,
  url,
  urlList,
  walletAccount,
} from './config-parsers.ts'
import { limitList } from './limits.ts'
import { modes } from './modes.ts'

export interface ConfigRow {
  readonly name: string
  /** `must`: MODE=live needs the variable. `should`: the operator decides. `leave alone`: the default is good. */
  readonly table: 'must' | 'should' | 'leave alone'
  readonly description: string
  readonly default?: string
  /** The simulator uses this value of the variable; MODE=live refuses it. */
  readonly demo?: string
  /** The value is never printed. The variable `NAME_FILE` can name a file that contains it. */
  readonly secret?: true
  readonly url?: true
  readonly demoOnly?: true
  readonly whenMissing?: string
  readonly schema: Shape
}

const key = (demo: string, options: TSchemaOptions) =>
  Type.String({ ...options, table: 'must', default: demo, demo })

const service = (description: string) => url({ table: 'must', url: true, description })

const { identity, messaging, otp, payment, shipping, wallet } = demoAccounts

/** A line on an invoice has at most 255 bytes, because its QR code has one byte for the length of a field. */
const invoiceLine = printedLine(255)
const liabilitySentence = printedLine(400)

const country = Type.String({ pattern: '^[A-Z]{2}$', fault: 'is not a list of ISO country codes' })

export const variables = Type.Object({
  MODE: Type.Enum([...modes], {
    table: 'must',
    default: 'demo',
    description:
      '`demo` runs against the simulator; `live` refuses demo keys, plain http and the simulator. The first start writes the mode into the database, which is refused in the other mode from then on.',
  }),
  PUBLIC_URL: service(
    'Address that browsers open. Default: `http://localhost:PORT`, or HOST if that is a name. In `MODE=demo` its host is the only one, beside that of CALLBACK_URL, localhost, IP addresses and names without a dot, under which gateway and simulator answer.',
  ),
  TRUSTED_PROXIES: Type.Optional(
    parsed(parseProxies)({
      table: 'must',
      whenMissing: 'name the proxy in front of the gateway, or none',
      description:
        'Addresses and networks (CIDR), separated by commas, of reverse proxies whose `X-Forwarded-For` and `X-Request-Id` are trusted; `none` trusts no proxy. Behind a proxy that is not named all clients have one address, so one visitor uses up the sign-in limits of all. Default: `none` in `MODE=demo`, the proxy of `docker-compose.yml` under compose.',
    }),
  ),
  DATABASE_URL: Type.Optional(
    databaseUrl({
      table: 'must',
      secret: true,
      whenMissing:
        'name a PostgreSQL, postgres://user:password@host:5432/name, because MODE=live does not run on SQLite',
      description:
        '`postgres://…`: the PostgreSQL; with a standby both addresses (`postgres://user:password@one:5432,two:5432/name`), of which the primary is used. Without it, in `MODE=demo`: SQLite in DATA_DIR.',
    }),
  ),
  OTP_BASE_URL: service(
    'OTP service (Twilio Verify v2). Default: the simulator. Live: `https://verify.twilio.com/v2`.',
  ),
  OTP_ACCOUNT_SID: key(otp.accountSid, { description: 'User name at the OTP service.' }),
  OTP_AUTH_TOKEN: key(otp.authToken, { secret: true, description: 'Password at the OTP service.' }),
  OTP_USER_SERVICE_SID: key(otp.userServiceSid, {
    description: `Verify service for pilgrims; its code length must be ${codeLength}.`,
  }),
  OTP_AGENT_SERVICE_SID: key(otp.agentServiceSid, {
    description: `Verify service for agents, different from that for pilgrims; its code length must be ${codeLength}.`,
  }),
  PAYMENT_BASE_URL: service(
    'Payment provider (Paymob KSA). Default: the simulator. Live: `https://ksa.paymob.com`.',
  ),
  PAYMENT_SECRET_KEY: key(payment.secretKey, {
    secret: true,
    description: 'Secret key: creates intentions, refunds.',
  }),
  PAYMENT_PUBLIC_KEY: key(payment.publicKey, {
    description: 'Public key, with which the browser opens the widget.',
  }),
  PAYMENT_API_KEY: key(payment.apiKey, { secret: true, description: 'API key: inquiries.' }),
  PAYMENT_HMAC_SECRET: key(payment.hmacSecret, {
    secret: true,
    description: 'Secret with which callbacks are signed.',
  }),
  PAYMENT_INTEGRATION_ID: Type.Integer({
    table: 'must',
    default: payment.integrationId,
    demo: String(payment.integrationId),
    minimum: 1,
    description: 'Id of the card integration.',
  }),
  PAYMENT_WIDGET_SCRIPT: service(
    'Module script of the card widget. Default: the simulator’s. Live: a pinned version, as `https://cdn.jsdelivr.net/npm/paymob-pixel@<version>/main.js`.',
  ),
  PAYMENT_WIDGET_INTEGRITY: Type.Optional(
    Type.String({
      table: 'must',
      pattern: '^(sha(256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}( (?!$)|$))+$',
      fault: 'is not a hash like sha384-…',
      description:
        'Hash of that script (`sha384-…`, Subresource Integrity): browsers then run no other script. It changes with every version. `MODE=live` needs it; the demo checks nothing without it. Made by `curl -s <script> | openssl dgst -sha384 -binary | openssl base64 -A`.',
    }),
  ),
  PAYMENT_WIDGET_FRAMES: urlList({
    table: 'must',
    url: true,
    description:
      'Origins that the widget frames and calls, separated by commas. Default: the simulator. Live: `https://ksa.checkout.paymob.com,https://ksa.paymob.com`.',
  }),
  SHIPPING_BASE_URL: service(
    'Shipping partner (SMSA e-commerce API and the agents directory). Default: the simulator. Live: `https://ecomapis.smsaexpress.com`.',
  ),
  SHIPPING_API_KEY: key(shipping.apiKey, { secret: true, description: 'API key at the shipping partner.' }),
  SHIPPING_WEBHOOK_KEY: secret({
    table: 'must',
    default: shipping.webhookKey,
    demo: shipping.webhookKey,
    description:
      'Secret that the courier sends with each report of scans, in the header `x-webhook-key`: at least 16 characters.',
  }),

  METRICS_TOKEN: Type.Optional(
    secret({
      description:
        'Bearer token that `GET /metrics` requires, at least 16 characters. Without it: open in `MODE=demo`, 404 in `MODE=live`.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    url({
      description:
        'Collector that receives traces and metrics as OTLP over HTTP, such as `http://localhost:4318`. Without it nothing is sent, and the SDK of OpenTelemetry is not loaded. With it the SDK reads its own variables, too, such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_SERVICE_NAME`.',
    }),
  ),
  ENABLED_BOOKING_TYPES: someOf(bookingTypes, {
    default: defaultBookingType,
    description: `Routes on offer, separated by commas: ${bookingTypes.join(', ')}.`,
  }),
  CANCELLATION: cancellationTerms({
    default: 'until-hand-over',
    description:
      'Until when its owner can cancel a paid order, with the whole amount refunded: `until-hand-over`, or a number of hours after the payment, such as `48h`; `off`: never. Shown before paying. An unpaid order can always be dropped.',
  }),
  HANDOVER_PHOTO: Type.Boolean({
    default: true,
    description:
      'Whether agents take a picture of each bag at its hand-over: `true` or `false`. With `false` no picture is taken or accepted; stored ones stay until their time is over.',
  }),
  LIABILITY_SENTENCE_AR: Type.Optional(
    liabilitySentence({
      description:
        'One sentence, shown in Arabic before paying: the compensation for a late, damaged or lost bag, and the company that pays it. It must agree with the value that is declared to the shipping partner (`docs/operate.md`). Without it, and the same in English, nothing is said.',
    }),
  ),
  LIABILITY_SENTENCE_EN: Type.Optional(liabilitySentence({ description: 'The same sentence in English.' })),
  TRANSIT_DAYS: Type.Optional(
    transitDays({
      description:
        'Calendar days in Riyadh from the hand-over until a bag has arrived, least and most, by the code of the city (docs/wires/shipping.md S27), `*` for all others: `RUH=2-4,JED=1-2,*=3-6`; `none`: nothing is said. Shown before paying and kept with the order. With none of this and the next four set, `MODE=demo` has examples, and nothing is promised in `MODE=live`.',
    }),
  ),
  HAND_IN_UNTIL: Type.Optional(
    date({
      description:
        'Last day in Riyadh on which pilgrims are asked to hand their bag over, such as `2027-05-29`. After that day it is not shown, and booking goes on.',
    }),
  ),
  STORAGE_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description: 'Days that a branch keeps a bag after its arrival there.',
    }),
  ),
  LATE_AFTER_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description:
        'Calendar days after its hand-over from which a bag that has not arrived is late: its owner gets a message with the next step. At least the most days of TRANSIT_DAYS. It moves no money.',
    }),
  ),
  LIABILITY_LOST_SAR: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'SAR that are paid at most for a lost bag, as the LIABILITY_SENTENCE_ variables say it. Without it no figure is named.',
    }),
  ),
  WORK_HOLIDAYS: Type.Array(date({}), {
    default: '',
    description:
      'Days on which claims are not answered, besides Friday and Saturday: dates such as `2027-05-26`, separated by commas. Days of an answer that were promised before stay.',
  }),
  ALLOWED_PHONE_COUNTRIES: Type.Optional(
    Type.Array(country, {
      description: 'ISO codes, separated by commas, of countries whose phones may sign in. Without it: all.',
    }),
  ),
  OTP_CHANNELS: someOf(codeChannels, {
    description:
      'Ways in which a code is sent, separated by commas: `sms`, `whatsapp` (its sender must be set up at the Verify services) and `call`. Default: all in `MODE=demo`, `sms` in `MODE=live`.',
  }),
  OTP_CALL_COUNTRIES: Type.Array(country, {
    default: 'SA',
    description:
      'ISO codes, separated by commas, of countries whose phones are called with a code. Each further one is a target of toll fraud.',
  }),
  OTP_DAILY_BUDGET: Type.Integer({
    default: 33_000,
    minimum: 0,
    maximum: 33_000,
    description:
      'Codes sent in a day to devices that have not signed in before, by whatever channel: the budget. A warning is logged at 50 % and at 80 %. When it is used up, only devices that have signed in before get codes. Three guesses for each code of the largest budget open ten accounts at the very worst.',
  }),
  SELLER_NAME: Type.Optional(
    invoiceLine({
      description:
        'Legal name of the seller on receipts and invoices, Arabic first; at most 255 bytes in UTF-8 (an Arabic letter has two). Default: an example in `MODE=demo`, the name of the product in `MODE=live`.',
    }),
  ),
  SELLER_ADDRESS: Type.Optional(
    invoiceLine({
      description: 'Address of the seller on receipts and invoices. Default: the address of the contact.',
    }),
  ),
  SELLER_VAT_NUMBER: Type.Optional(
    Type.String({
      demo: brand.purchase.seller.vatNumber,
      pattern: '^3\\d{13}3$',
      fault: 'is not 15 digits that begin and end with 3',
      description:
        'VAT number of the seller: 15 digits, the first and the last a 3. Without it, in `MODE=live`, receipts state no VAT and have no QR code.',
    }),
  ),
  SELLER_CR_NUMBER: Type.Optional(
    Type.String({
      pattern: '^\\d{10}$',
      fault: 'is not ten digits',
      description: 'Number of the seller’s commercial registration: ten digits.',
    }),
  ),
  INVOICE_PHASE: Type.Optional(
    Type.Enum(['1'], {
      description:
        '`1` confirms, in `MODE=live`, that the seller may still issue e-invoices of phase 1 (not connected to Fatoora): paid orders then get simplified tax invoices with a QR code, and all four SELLER_ variables are required. Without it: plain receipts. Phase 2 is not built.',
    }),
  ),
  MESSAGES_ENABLED: Type.Boolean({
    description:
      'Whether messages about bags are sent by SMS: `true` or `false`. Default: `true` in `MODE=demo`, `false` in `MODE=live`, where the variables MESSAGES_* are then not needed.',
  }),
  MESSAGES_BASE_URL: url({
    url: true,
    description:
      'SMS service (Twilio Programmable Messaging). Default: the simulator; in `MODE=live` `https://api.twilio.com`.',
  }),
  MESSAGES_ACCOUNT_SID: Type.String({
    default: messaging.accountSid,
    demo: messaging.accountSid,
    description: 'User name at the SMS service.',
  }),
  MESSAGES_AUTH_TOKEN: Type.String({
    default: messaging.authToken,
    demo: messaging.authToken,
    secret: true,
    description: 'Password at the SMS service, with which it also signs its status callbacks.',
  }),
  // MODE=live accepts the demo's sender, because it can be the operator's registered name.
  MESSAGES_FROM: Type.String({
    default: messaging.from,
    pattern: '^((?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}|\\+[1-9]\\d{6,14}|MG[0-9a-fA-F]{32})$',
    fault: 'is not a number, a name of at most 11 letters and digits, or MG…',
    description:
      'Sender: a number, a name of at most 11 letters, digits and spaces, or a messaging service (`MG…`). Networks of the Kingdom accept registered names only.',
  }),
  SMTP_URL: Type.Optional(
    smtpUrl({
      secret: true,
      description:
        'Mail server: `smtps://user:password@host`, or `smtp://` with STARTTLS, which is demanded unless the host is this machine. With it accounts can have an address, which gets receipts and by which a number that is gone is replaced; codes to it go out by the OTP service, whose Verify service for pilgrims needs a mailer. Default: the simulator’s in `MODE=demo`, none in `MODE=live`.',
    }),
  ),
  SMTP_FROM: Type.Optional(
    Type.String({
      pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
      fault: 'is not an address',
      description:
        'Sender of e-mail: an address whose domain lets the mail server send (SPF, DKIM, DMARC). Default: the address of the contact in `MODE=demo`; needed with SMTP_URL in `MODE=live`.',
    }),
  ),
  VAPID_PRIVATE_KEY: Type.Optional(
    pushKey({
      secret: true,
      description:
        'Push messages of the installed app, in place of SMS for those who turn them on: a private key (P-256, base64url) of our own, which signs every message. Without it they are off and no switch is shown, as in the demo. With another key every subscription ends. How to make one: `docs/operate.md`.',
    }),
  ),
  GOOGLE_WALLET_ISSUER_ID: Type.Optional(
    Type.String({
      demo: wallet.issuerId,
      pattern: '^\\d{10,25}$',
      fault: 'is not an issuer id: digits alone',
      description:
        'The issuer id of the Google Wallet console: paid bags can then be saved to Google Wallet. Unset with the variable below: not offered in `MODE=live`; in `MODE=demo` the simulator takes the place of Google where `PAYMENT_WIDGET_SCRIPT` is the simulator’s, and every pass says TEST.',
    }),
  ),
  GOOGLE_WALLET_ACCOUNT: Type.Optional(
    walletAccount({
      secret: true,
      description:
        'The key file (JSON) of the service account that may issue passes, as Google Cloud hands it out: it has several lines, so set `GOOGLE_WALLET_ACCOUNT_FILE`. Its private key signs each pass. How to get one: `docs/operate.md`.',
    }),
  ),
  DESK_OIDC_ISSUER: Type.Optional(
    issuer({
      url: true,
      description:
        'Identity provider (OpenID Connect) at which the company’s staff sign in to the desk at `/desk`: the issuer, as its discovery document names it. Unset with the two variables below, in `MODE=live`: there is no desk. Default in `MODE=demo`: the simulator’s. What to register there: `docs/operate.md`.',
    }),
  ),
  DESK_OIDC_CLIENT_ID: Type.Optional(
    Type.String({
      demo: identity.clientId,
      description: 'The desk’s name at the identity provider.',
    }),
  ),
  DESK_OIDC_CLIENT_SECRET: Type.Optional(
    secret({
      demo: identity.clientSecret,
      description:
        'The desk’s password there, at least 16 characters. With another one, people who are signing in at that moment begin again.',
    }),
  ),
  DESK_OIDC_SCOPE: Type.String({
    default: 'openid profile',
    pattern: '^(?:\\S+ )*openid(?: \\S+)*$',
    fault: 'is not a list of scopes with openid',
    description:
      'Scopes that the desk asks for. Some providers send groups or roles only for a scope of their own, such as `groups` (Okta, Dex, Authelia).',
  }),
  DESK_ROLES_CLAIM: Type.String({
    default: 'roles',
    description:
      'Claim of the ID token, else of the user info, that holds a person’s roles: a text, a list or an object whose keys are the roles, or the path to one, such as `realm_access.roles`.',
  }),
  DESK_ROLES_SEPARATED: Type.Boolean({
    default: false,
    description: 'Whether one text of that claim holds several roles, between spaces or commas.',
  }),
  DESK_ROLE_SUPPORT: Type.String({
    default: 'support',
    description: 'Value of that claim for the people who answer callers and claims.',
  }),
  DESK_ROLE_MONEY: Type.String({
    default: 'money',
    description: 'Value of that claim for the people who return money.',
  }),
  DESK_ROLE_LEAD: Type.String({
    default: 'lead',
    description:
      'Value of that claim for those who lead the desk. A person may have several roles; one without any is not let in.',
  }),
  DESK_REFUND_ALONE: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 100_000,
    description:
      'SAR that a person with the role `money` may return, promise or write off in 24 hours without a second person: refunds, cancellations of paid orders, compensations and write-offs together.',
  }),

  PORT: Type.Integer({
    table: 'leave alone',
    default: 3_000,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of the gateway.',
  }),
  HOST: Type.String({
    table: 'leave alone',
    default: '127.0.0.1',
    pattern: '^[\\w.:-]+$',
    fault: 'is not an address or a name',
    description: 'Address the gateway and the simulator listen on.',
  }),
  LISTEN_URL: Type.Optional(
    databaseUrl({
      table: 'leave alone',
      secret: true,
      description:
        'With a PgBouncer that pools by transaction at DATABASE_URL: the address of PostgreSQL itself, for what needs a connection of its own (`LISTEN`, migrations, the tools of operators). Prepared statements are then not used. Each of both names one server.',
    }),
  ),
  CALLBACK_URL: url({
    table: 'leave alone',
    url: true,
    description: 'Address under which the payment provider reaches the gateway. Default: PUBLIC_URL.',
  }),
  DATA_DIR: Type.String({
    table: 'leave alone',
    default: './data',
    description: 'Folder of the SQLite file of a demo, of its clock, and of the simulator’s state.',
  }),
  EVENT_STREAMS: Type.Integer({
    table: 'leave alone',
    default: 2_000,
    minimum: 0,
    maximum: 8_000,
    description:
      'Event streams that one gateway holds open at once, over which pages learn of changes; beyond them, and with 0, pages ask every ten seconds. Links that were shared get at most half of them.',
  }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    table: 'leave alone',
    default: 'info',
    description: 'Lowest level that is logged.',
  }),
  DEMO_CONTROL_KEY: Type.Optional(
    secret({
      table: 'leave alone',
      demoOnly: true,
      description:
        'Key, at least 16 characters, with which testers and the simulator call `/api/demo/` in `MODE=demo`: they read any order, move the clock, and empty and restore the database. Without it those addresses do not exist, and never in `MODE=live`. `npm start` and `npm run dev` draw one for each data folder (`DATA_DIR/demo-control-key`) and give it to gateway and simulator.',
    }),
  ),
  DRAIN_MS: Type.Integer({
    table: 'leave alone',
    minimum: 0,
    maximum: 30_000,
    description:
      'After SIGTERM: how long `/readyz` answers 503 while every request is still served, so that a load balancer notices. At most 30000. Default: 10000 in `MODE=live`, 1000 in `MODE=demo`.',
  }),
  MOCK_PARTNER_PORT: Type.Integer({
    table: 'leave alone',
    default: 4_000,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of the simulator.',
  }),
  OTP_SENDS_PER_PHONE: parsed(limitList)({
    table: 'leave alone',
    default: '1/60s,3/10m,5/1h,10/1d',
    description:
      'Codes sent to a phone per screen (pilgrims, agents), by all channels together, as `count/window` with s, m, h or d. The pause of one code holds for one channel: another one may be chosen after 30 s.',
  }),
  PAYMENT_TEST: Type.Boolean({
    table: 'leave alone',
    default: false,
    description:
      'Whether `MODE=live` runs on test keys of the payment provider: no card is charged, and every page says so. `MODE=live` refuses test keys without it, and live keys with it.',
  }),
  PAYMENT_HMAC_SECRET_PREVIOUS: Type.Optional(
    Type.String({
      table: 'leave alone',
      demo: payment.hmacSecret,
      secret: true,
      description:
        'While the secret is exchanged: the old one. Callbacks signed with either are accepted; those with the old one are counted. Without it: only PAYMENT_HMAC_SECRET.',
    }),
  ),
  SHIPPING_WEBHOOK_KEY_PREVIOUS: Type.Optional(
    secret({
      table: 'leave alone',
      demo: shipping.webhookKey,
      description:
        'While the key is exchanged: the old one. Reports with either are accepted; those with the old one are counted. Without it: only SHIPPING_WEBHOOK_KEY.',
    }),
  ),
  TRACKING_POLL_INTERVAL: duration({
    table: 'leave alone',
    description:
      'How often the courier is asked about a bag that moves, such as `30m` or `30s`; in silence, at the branch and before the hand-over less often. Default: 30m in `MODE=live`, 30s in `MODE=demo`.',
  }),
  TRACKING_SILENCE_HOURS: Type.Integer({
    table: 'leave alone',
    default: 24,
    minimum: 1,
    description:
      'Hours without an event of a bag on its way after which its owner gets a message, and operators see it counted.',
  }),
})

type Facts = Omit<ConfigRow, 'name' | 'table' | 'default' | 'schema'> & Partial<Pick<ConfigRow, 'table'>>

export const configRows: readonly ConfigRow[] = Object.entries(variables.properties).map(([name, schema]) => {
  const { default: fallback } = schema as Shape & { readonly default?: unknown }
  return {
    table: 'should',
    ...(schema as unknown as Facts),
    name,
    ...(fallback !== undefined && { default: String(fallback) }),
    schema,
  }
})
