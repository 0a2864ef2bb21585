import { bookingTypes } from '#shared/orders/booking-types.ts'
import { defaultBookingType } from '#shared/orders/orders.schemas.ts'
import { codeChannels } from '#shared/platform/code-channels.ts'
import { codeLength } from '#shared/platform/code-length.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import {
  cancellationTerms,
  count,
  countryList,
  databaseUrl,
  date,
  dateList,
  duration,
  integer,
  integerBetween,
  issuer,
  listOf,
  matching,
  oneOf,
  port,
  printedLine,
  proxyList,
  secret,
  smtpUrl,
  text,
  transitDays,
  url,
  urlList,
  walletAccount,
  yesOrNo,
} from './config-parsers.ts'
import { limitList } from './limits.ts'
import { modes } from './modes.ts'

/** A variable of the environment as documents show it: `.env.example` and `docs/configuration.md` are derived from it. */
export interface ConfigRow {
  readonly name: string
  readonly table: 'must' | 'should' | 'leave alone'
  readonly description: string
  /** Text form. Absent where the variable is optional or derived, as the description says. */
  readonly default?: string
  /** Never printed, and may be given as a file: `NAME_FILE` holds the path. */
  readonly secret?: true
  /** Must be https and not loopback in MODE=live. */
  readonly url?: true
  /** Refused in MODE=live. */
  readonly demoOnly?: true
  /** Tells the operator what to set, where MODE=live needs the variable. */
  readonly whenMissing?: string
}

export interface Variable<T> extends Omit<ConfigRow, 'name' | 'table'> {
  /** @throws with a message that continues the name and never contains the value. */
  readonly parse: (text: string) => T
}

const variable = <T, const F extends Omit<ConfigRow, 'name' | 'table'>>(
  parse: (text: string) => T,
  fields: F,
) => ({ ...fields, parse })

/** A number, a name of letters, digits and spaces, or the id of a messaging service. */
const senders = /^((?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}|\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32})$/

/** Subresource Integrity of one script; several hashes, separated by spaces, are alternatives. */
const hashes = /^(sha(256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}( (?!$)|$))+$/

/** The QR code of an invoice counts the bytes of a field in one byte. */
const mostOnInvoice = 255

const { messaging, otp, payment, shipping } = demoAccounts

/** MODE=live needs these. The defaults work only with the simulator, and are refused in MODE=live. */
const must = {
  MODE: variable(oneOf(...modes), {
    default: 'demo',
    description:
      '`demo` runs against the simulator; `live` refuses demo keys, plain http and the simulator. The first start writes the mode into the database, which is refused in the other mode from then on.',
  }),
  PUBLIC_URL: variable(url, {
    url: true,
    description:
      'Address that browsers open. Default: `http://localhost:PORT`, or HOST if that is a name. In `MODE=demo` its host is the only one, beside that of CALLBACK_URL, localhost, IP addresses and names without a dot, under which gateway and simulator answer.',
  }),
  TRUSTED_PROXIES: variable(proxyList, {
    whenMissing: 'name the proxy in front of the gateway, or none',
    description:
      'Addresses and networks (CIDR), separated by commas, of reverse proxies whose `X-Forwarded-For` and `X-Request-Id` are trusted; `none` trusts no proxy. Behind a proxy that is not named all clients have one address, so one visitor uses up the sign-in limits of all. Default: `none` in `MODE=demo`, the proxy of `docker-compose.yml` under compose.',
  }),
  DATABASE_URL: variable(databaseUrl, {
    secret: true,
    whenMissing:
      'name a PostgreSQL, postgres://user:password@host:5432/name, because MODE=live does not run on SQLite',
    description:
      '`postgres://…`: the PostgreSQL; with a standby both addresses (`postgres://user:password@one:5432,two:5432/name`), of which the primary is used. Without it, in `MODE=demo`: SQLite in DATA_DIR.',
  }),
  OTP_BASE_URL: variable(url, {
    url: true,
    description:
      'OTP service (Twilio Verify v2). Default: the simulator. Live: `https://verify.twilio.com/v2`.',
  }),
  OTP_ACCOUNT_SID: variable(text, {
    default: otp.accountSid,
    description: 'User name at the OTP service.',
  }),
  OTP_AUTH_TOKEN: variable(text, {
    default: otp.authToken,
    secret: true,
    description: 'Password at the OTP service.',
  }),
  OTP_USER_SERVICE_SID: variable(text, {
    default: otp.userServiceSid,
    description: `Verify service for pilgrims; its code length must be ${codeLength}.`,
  }),
  OTP_AGENT_SERVICE_SID: variable(text, {
    default: otp.agentServiceSid,
    description: `Verify service for agents, different from that for pilgrims; its code length must be ${codeLength}.`,
  }),
  PAYMENT_BASE_URL: variable(url, {
    url: true,
    description: 'Payment provider (Paymob KSA). Default: the simulator. Live: `https://ksa.paymob.com`.',
  }),
  PAYMENT_SECRET_KEY: variable(text, {
    default: payment.secretKey,
    secret: true,
    description: 'Secret key: creates intentions, refunds.',
  }),
  PAYMENT_PUBLIC_KEY: variable(text, {
    default: payment.publicKey,
    description: 'Public key, with which the browser opens the widget.',
  }),
  PAYMENT_API_KEY: variable(text, {
    default: payment.apiKey,
    secret: true,
    description: 'API key: inquiries.',
  }),
  PAYMENT_HMAC_SECRET: variable(text, {
    default: payment.hmacSecret,
    secret: true,
    description: 'Secret with which callbacks are signed.',
  }),
  PAYMENT_INTEGRATION_ID: variable(integer, {
    default: String(payment.integrationId),
    description: 'Id of the card integration.',
  }),
  PAYMENT_WIDGET_SCRIPT: variable(url, {
    url: true,
    description:
      'Module script of the card widget. Default: the simulator’s. Live: a pinned version, as `https://cdn.jsdelivr.net/npm/paymob-pixel@<version>/main.js`.',
  }),
  PAYMENT_WIDGET_INTEGRITY: variable(matching(hashes, 'is not a hash like sha384-…'), {
    description:
      'Hash of that script (`sha384-…`, Subresource Integrity): browsers then run no other script. It changes with every version. `MODE=live` needs it; the demo checks nothing without it. Made by `curl -s <script> | openssl dgst -sha384 -binary | openssl base64 -A`.',
  }),
  PAYMENT_WIDGET_FRAMES: variable(urlList, {
    description:
      'Origins that the widget frames and calls, separated by commas. Default: the simulator. Live: `https://ksa.checkout.paymob.com,https://ksa.paymob.com`.',
  }),
  SHIPPING_BASE_URL: variable(url, {
    url: true,
    description:
      'Shipping partner (SMSA e-commerce API and the agents directory). Default: the simulator. Live: `https://ecomapis.smsaexpress.com`.',
  }),
  SHIPPING_API_KEY: variable(text, {
    default: shipping.apiKey,
    secret: true,
    description: 'API key at the shipping partner.',
  }),
  SHIPPING_WEBHOOK_KEY: variable(secret, {
    default: shipping.webhookKey,
    secret: true,
    description:
      'Secret that the courier sends with each report of scans, in the header `x-webhook-key`: at least 16 characters.',
  }),
} as const

/** What it should decide: the operator’s terms, and what is off without them. */
const should = {
  METRICS_TOKEN: variable(secret, {
    secret: true,
    description:
      'Bearer token that `GET /metrics` requires, at least 16 characters. Without it: open in `MODE=demo`, 404 in `MODE=live`.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(url, {
    description:
      'Collector that receives traces and metrics as OTLP over HTTP, such as `http://localhost:4318`. Without it none are sent, and OpenTelemetry is not loaded. With it OpenTelemetry reads its own variables, too, such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_SERVICE_NAME`.',
  }),
  ENABLED_BOOKING_TYPES: variable(listOf(...bookingTypes), {
    default: defaultBookingType,
    description: `Routes on offer, separated by commas: ${bookingTypes.join(', ')}.`,
  }),
  CANCELLATION: variable(cancellationTerms, {
    default: 'until-hand-over',
    description:
      'Until when a paid order can be cancelled by its owner, with the whole amount refunded: `until-hand-over`, or so many hours after the payment at most, such as `48h`; `off`: never. Shown before paying. An unpaid order can always be dropped.',
  }),
  LIABILITY_SENTENCE_AR: variable(printedLine(400), {
    description:
      'What is paid for a late, damaged or lost bag, and by whom, in one sentence, shown in Arabic before paying. It must agree with the value that is declared to the shipping partner (`docs/runbook.md`). Without it, and the same in English, nothing is said.',
  }),
  LIABILITY_SENTENCE_EN: variable(printedLine(400), {
    description: 'The same sentence in English.',
  }),
  TRANSIT_DAYS: variable(transitDays, {
    description:
      'Calendar days in Riyadh from the hand-over until a bag has arrived, least and most, by the code of the city (docs/wires/shipping.md S27), `*` for all others: `RUH=2-4,JED=1-2,*=3-6`; `none`: nothing is said. Shown before paying and kept with the order. With none of this and the next four set, `MODE=demo` has examples, and nothing is promised in `MODE=live`.',
  }),
  HAND_IN_UNTIL: variable(date, {
    description:
      'Last day in Riyadh on which pilgrims are told to hand their bag over, such as `2027-05-29`. Once it is past it is not shown any more, and booking goes on.',
  }),
  STORAGE_DAYS: variable(integerBetween(1, 365), {
    description: 'So many days a branch keeps a bag after it has arrived there.',
  }),
  LATE_AFTER_DAYS: variable(integerBetween(1, 60), {
    description:
      'A bag that has not arrived so many calendar days after its hand-over is late: its owner is told so, and what to do. At least the most days of TRANSIT_DAYS. No money moves by it.',
  }),
  LIABILITY_LOST_SAR: variable(integerBetween(1, 1_000_000), {
    description:
      'SAR that are paid at most for a lost bag, as the LIABILITY_SENTENCE_ variables say it. Without it no figure is named.',
  }),
  WORK_HOLIDAYS: variable(dateList, {
    default: '',
    description:
      'Days on which claims are not answered, besides Friday and Saturday: dates such as `2027-05-26`, separated by commas. The days that were promised before stay.',
  }),
  ALLOWED_PHONE_COUNTRIES: variable(countryList, {
    description: 'ISO codes, separated by commas, of countries whose phones may sign in. Without it: all.',
  }),
  OTP_CHANNELS: variable(listOf(...codeChannels), {
    description:
      'Ways in which a code is sent, separated by commas: `sms`, `whatsapp` (its sender must be set up at the Verify services) and `call`. Default: all in `MODE=demo`, `sms` in `MODE=live`.',
  }),
  OTP_CALL_COUNTRIES: variable(countryList, {
    default: 'SA',
    description:
      'ISO codes, separated by commas, of countries whose phones are called with a code. Each further one is a target of toll fraud.',
  }),
  OTP_DAILY_BUDGET: variable(integer, {
    default: '50000',
    description:
      'Codes sent to all phones in a day, by whatever channel: the budget. At 80 % a warning is logged; above 95 % only devices that have signed in before get codes. `0` stops every code.',
  }),
  SELLER_NAME: variable(printedLine(mostOnInvoice), {
    description:
      'Legal name of the seller on receipts and invoices, Arabic first; at most 255 bytes in UTF-8 (an Arabic letter has two). Default: an example in `MODE=demo`, the name of the product in `MODE=live`.',
  }),
  SELLER_ADDRESS: variable(printedLine(mostOnInvoice), {
    description: 'Address of the seller on receipts and invoices. Default: the address of the contact.',
  }),
  SELLER_VAT_NUMBER: variable(matching(/^3\d{13}3$/, 'is not 15 digits that begin and end with 3'), {
    description:
      'VAT number of the seller: 15 digits, the first and the last a 3. Without it, in `MODE=live`, receipts state no VAT and have no QR code.',
  }),
  SELLER_CR_NUMBER: variable(matching(/^\d{10}$/, 'is not ten digits'), {
    description: 'Number of the seller’s commercial registration: ten digits.',
  }),
  INVOICE_PHASE: variable(oneOf('1'), {
    description:
      '`1` confirms, in `MODE=live`, that the seller may still issue e-invoices of phase 1 (not connected to Fatoora): paid orders then get simplified tax invoices with a QR code, and all four SELLER_ variables are required. Without it: plain receipts. Phase 2 is not built.',
  }),
  MESSAGES_ENABLED: variable(yesOrNo, {
    description:
      'Whether messages about bags are sent by SMS: `true` or `false`. Default: `true` in `MODE=demo`, `false` in `MODE=live`, where the variables MESSAGES_* are then not needed.',
  }),
  MESSAGES_BASE_URL: variable(url, {
    description:
      'SMS service (Twilio Programmable Messaging). Default: the simulator; in `MODE=live` `https://api.twilio.com`.',
  }),
  MESSAGES_ACCOUNT_SID: variable(text, {
    default: messaging.accountSid,
    description: 'User name at the SMS service.',
  }),
  MESSAGES_AUTH_TOKEN: variable(text, {
    default: messaging.authToken,
    secret: true,
    description: 'Password at the SMS service, with which it also signs its status callbacks.',
  }),
  MESSAGES_FROM: variable(
    matching(senders, 'is not a number, a name of at most 11 letters and digits, or MG…'),
    {
      default: messaging.from,
      description:
        'Sender: a number, a name of at most 11 letters, digits and spaces, or a messaging service (`MG…`). Networks of the Kingdom accept registered names only.',
    },
  ),
  SMTP_URL: variable(smtpUrl, {
    secret: true,
    description:
      'Mail server: `smtps://user:password@host`, or `smtp://` with STARTTLS, which is demanded unless the host is this machine. With it accounts can have an address, which gets receipts and by which a number that is gone is replaced; codes to it go out by the OTP service, whose Verify service for pilgrims needs a mailer. Default: the simulator’s in `MODE=demo`, none in `MODE=live`.',
  }),
  SMTP_FROM: variable(matching(/^[^\s@<>]+@[^\s@<>]+$/, 'is not an address'), {
    description:
      'Sender of e-mail: an address whose domain lets the mail server send (SPF, DKIM, DMARC). Default: that of the contact in `MODE=demo`; needed with SMTP_URL in `MODE=live`.',
  }),
  VAPID_PUBLIC_KEY: variable(matching(/^B[\w-]{86}$/, 'is not a public key of P-256 in base64url'), {
    description:
      'Push messages of the installed app, in place of SMS for those who turn them on: the public key (P-256, base64url) of a pair of our own. Unset with the two variables below: none are sent, and no switch is shown, as in the demo. With another key pair every subscription ends. How to make one: `docs/runbook.md`.',
  }),
  VAPID_PRIVATE_KEY: variable(matching(/^[\w-]{43}$/, 'is not a private key of P-256 in base64url'), {
    secret: true,
    description: 'The private key to it, which signs every push message.',
  }),
  VAPID_SUBJECT: variable(
    matching(/^(mailto:[^\s@<>]+@[^\s@<>]+$|https:\/\/[^\s/]+)/, 'is not a mailto: or https: address'),
    {
      description:
        'Where push services reach the operator if messages go wrong: `mailto:` or `https:`. They see it with every message.',
    },
  ),
  GOOGLE_WALLET_ISSUER_ID: variable(matching(/^\d{10,25}$/, 'is not an issuer id: digits alone'), {
    description:
      'The issuer id of the Google Wallet console: paid bags can then be saved to Google Wallet. Unset with the variable below: not offered in `MODE=live`; in `MODE=demo` the simulator takes the place of Google where `PAYMENT_WIDGET_SCRIPT` is the simulator’s, and every pass says TEST.',
  }),
  GOOGLE_WALLET_ACCOUNT: variable(walletAccount, {
    secret: true,
    description:
      'The key file (JSON) of the service account that may issue passes, as Google Cloud hands it out: it has several lines, so set `GOOGLE_WALLET_ACCOUNT_FILE`. Its private key signs each pass. How to get one: `docs/runbook.md`.',
  }),
  DESK_OIDC_ISSUER: variable(issuer, {
    url: true,
    description:
      'Identity provider (OpenID Connect) at which the company’s staff sign in to the desk at `/desk`: the issuer, as its discovery document names it. Unset with the two variables below, in `MODE=live`: there is no desk. Default in `MODE=demo`: the simulator’s. What to register there: `docs/runbook.md`.',
  }),
  DESK_OIDC_CLIENT_ID: variable(text, { description: 'The desk’s name at the identity provider.' }),
  DESK_OIDC_CLIENT_SECRET: variable(secret, {
    secret: true,
    description:
      'The desk’s password there, at least 16 characters. With another one, people who are signing in at that moment begin again.',
  }),
  DESK_OIDC_SCOPE: variable(matching(/^(?:\S+ )*openid(?: \S+)*$/, 'is not a list of scopes with openid'), {
    default: 'openid profile',
    description:
      'Scopes that the desk asks for. Some providers send groups or roles only for a scope of their own, such as `groups` (Okta, Dex, Authelia).',
  }),
  DESK_ROLES_CLAIM: variable(text, {
    default: 'roles',
    description:
      'Claim of the ID token, else of the user info, that holds a person’s roles: a text, a list or an object whose keys are the roles, or the path to one, such as `realm_access.roles`.',
  }),
  DESK_ROLES_SEPARATED: variable(yesOrNo, {
    default: 'false',
    description: 'Whether one text of that claim holds several roles, between spaces or commas.',
  }),
  DESK_ROLE_SUPPORT: variable(text, {
    default: 'support',
    description: 'Value of that claim for the people who answer callers and claims.',
  }),
  DESK_ROLE_MONEY: variable(text, {
    default: 'money',
    description: 'Value of that claim for the people who return money.',
  }),
  DESK_ROLE_LEAD: variable(text, {
    default: 'lead',
    description:
      'Value of that claim for those who lead the desk. A person may have several roles; one without any is not let in.',
  }),
  DESK_REFUND_ALONE: variable(integerBetween(0, 100_000), {
    default: '0',
    description:
      'SAR that a person with the role `money` may return, promise or write off in 24 hours without a second person: refunds, cancellations of paid orders, compensations and write-offs together.',
  }),
} as const

/** What fits as it is. */
const leaveAlone = {
  PORT: variable(port, { default: '3000', description: 'Port of the gateway.' }),
  HOST: variable(text, {
    default: '127.0.0.1',
    description: 'Address the gateway and the simulator listen on.',
  }),
  CALLBACK_URL: variable(url, {
    url: true,
    description: 'Address under which the payment provider reaches the gateway. Default: PUBLIC_URL.',
  }),
  DATA_DIR: variable(text, {
    default: './data',
    description: 'Folder of the SQLite file of a demo, of its snapshots, and of the simulator’s state.',
  }),
  EVENT_STREAMS: variable(integerBetween(0, 8_000), {
    default: '2000',
    description:
      'Event streams that one gateway holds open at once, over which pages learn of changes; beyond them, and with 0, pages ask every ten seconds. Links that were shared get at most half of them.',
  }),
  LOG_LEVEL: variable(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), {
    default: 'info',
    description: 'Lowest level that is logged.',
  }),
  DEMO_CONTROL_KEY: variable(secret, {
    secret: true,
    demoOnly: true,
    description:
      'Key, at least 16 characters, with which testers and the simulator call `/api/demo/` in `MODE=demo`: they read any order, move the clock, and empty and restore the database. Without it those addresses do not exist, and never in `MODE=live`. `npm start` and `npm run dev` draw one for each data folder (`DATA_DIR/demo-control-key`) and give it to gateway and simulator.',
  }),
  DRAIN_MS: variable(integerBetween(0, 30_000), {
    description:
      'After SIGTERM: how long `/readyz` answers 503 while every request is still served, so that a load balancer notices. At most 30000. Default: 10000 in `MODE=live`, 1000 in `MODE=demo`.',
  }),
  MOCK_PARTNER_PORT: variable(port, { default: '4000', description: 'Port of the simulator.' }),
  OTP_SENDS_PER_PHONE: variable(limitList, {
    default: '1/60s,3/10m,5/1h,10/1d',
    description:
      'Codes sent to a phone per screen (pilgrims, agents), by all channels together, as `count/window` with s, m, h or d. The pause of one code holds for one channel: another one may be chosen after 30 s.',
  }),
  PAYMENT_TEST: variable(yesOrNo, {
    default: 'false',
    description:
      'Whether `MODE=live` runs on test keys of the payment provider: no card is charged, and every page says so. `MODE=live` refuses test keys without it, and live keys with it.',
  }),
  PAYMENT_HMAC_SECRET_PREVIOUS: variable(text, {
    secret: true,
    description:
      'While the secret is exchanged: the old one. Callbacks signed with either are accepted; those with the old one are counted. Without it: only PAYMENT_HMAC_SECRET.',
  }),
  SHIPPING_WEBHOOK_KEY_PREVIOUS: variable(secret, {
    secret: true,
    description:
      'While the key is exchanged: the old one. Reports with either are accepted; those with the old one are counted. Without it: only SHIPPING_WEBHOOK_KEY.',
  }),
  TRACKING_POLL_INTERVAL: variable(duration, {
    description:
      'How often the courier is asked about a bag that moves, such as `30m` or `30s`; in silence, at the branch and before the hand-over less often. Default: 30m in `MODE=live`, 30s in `MODE=demo`.',
  }),
  TRACKING_SILENCE_HOURS: variable(count, {
    default: '24',
    description:
      'After so many hours without news of a bag on its way its owner is told so, and it is counted for operators.',
  }),
} as const

/** Every variable. Defaults that depend on other variables are filled in by `readConfig`. */
export const variables = { ...must, ...should, ...leaveAlone }

const rowsOf = (table: ConfigRow['table'], rows: Readonly<Record<string, Variable<unknown>>>) =>
  Object.entries(rows).map(([name, { parse: _, ...fields }]): ConfigRow => ({ name, table, ...fields }))

export const configRows: readonly ConfigRow[] = [
  ...rowsOf('must', must),
  ...rowsOf('should', should),
  ...rowsOf('leave alone', leaveAlone),
]
