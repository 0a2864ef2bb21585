import { randomBytes } from 'node:crypto'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { createProviders, type Providers } from '#server/core.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { createExternalService, type ExternalService } from '#server/platform/external-service.ts'
import type { HttpRequest, HttpResponse } from '#server/platform/http-client.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import { otpErrorCodes } from '#shared/wire/otp/otp.wire.ts'
import { lineOf } from '../lib/tool.ts'

/** Every service has this time to answer all requests of its check. */
const limitMs = 15_000

interface PartnerCheck {
  readonly name: string
  /** The variables with the address and the keys of the service. */
  readonly address: string
  readonly keys: string
  readonly wire: string
  /** Makes the calls. @returns what was found @throws when the service cannot be used */
  work(providers: Providers, calls: Calls): Promise<string>
}

/** Says why a service is not called. */
interface Unchecked {
  readonly name: string
  readonly because: string
}

/** The requests of one check. */
interface Calls {
  readonly deadline: AbortSignal
  /** The answer with the highest status. */
  answer: HttpResponse | undefined
  host: string | undefined
}

/** The service answers, and cannot be used as it is. */
class Unfit extends Error {}

const courier = {
  address: 'SHIPPING_BASE_URL',
  keys: 'SHIPPING_API_KEY',
  wire: 'docs/wires/shipping.md',
}

const noHarmlessCall = 'the service has no harmless call'

const countOf = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const leftOut = (dropped: Readonly<Record<string, number>>) => {
  const count = Object.values(dropped).reduce((sum, each) => sum + each, 0)
  return count === 0 ? '' : `, ${countOf(count, 'row', 'rows')} of it unusable`
}

const unknownNumber = () => `check-${randomBytes(4).toString('hex')}`

const NotFound = Type.Object({ code: Type.Literal(otpErrorCodes.notFound) })

/** The code of Twilio for a resource that does not exist. A 404 with another code comes from another server. */
function requireTwilio({ answer }: Calls): void {
  if (!Value.Check(NotFound, answer?.body)) throw new Unfit('the answer is not of Twilio')
}

function checksOf(config: Config): readonly (PartnerCheck | Unchecked)[] {
  return [
    {
      ...courier,
      name: 'courier: branches and cities',
      async work({ partner }) {
        const { rows, dropped } = await partner.fetchCenters()
        if (rows.length === 0) throw new Unfit('the list of branches is empty')
        const cities = new Set(rows.map(({ city }) => city)).size
        return `${countOf(rows.length, 'branch', 'branches')} in ${countOf(cities, 'city', 'cities')}${leftOut(dropped)}`
      },
    },
    {
      ...courier,
      name: 'courier: agents',
      async work({ partner }) {
        const { rows, dropped } = await partner.fetchAgents()
        if (rows.length === 0) throw new Unfit('the list of agents is empty')
        return `${countOf(rows.length, 'agent', 'agents')}${leftOut(dropped)}`
      },
    },
    {
      ...courier,
      name: 'courier: shipments',
      async work({ shipments }) {
        if (await shipments.findByReference(unknownNumber())) throw new Unfit('it knows a made-up reference')
        return 'a made-up reference is unknown'
      },
    },
    {
      ...courier,
      name: 'courier: tracking',
      wire: 'docs/wires/tracking.md',
      work: async ({ tracking }) =>
        `${countOf((await tracking.readTexts()).length, 'text', 'texts')} of scans`,
    },
    {
      name: 'courier: reports of scans',
      because: `${noHarmlessCall}; the courier sends them with SHIPPING_WEBHOOK_KEY`,
    },
    {
      name: 'payments: inquiry',
      address: 'PAYMENT_BASE_URL',
      keys: 'PAYMENT_API_KEY',
      wire: 'docs/wires/payment.md',
      async work({ payments }, { deadline }) {
        if (await payments.inquire({ reference: unknownNumber() }, deadline))
          throw new Unfit('it knows a made-up order')
        return 'a token was given, a made-up order is unknown'
      },
    },
    {
      name: 'payments: opening, refunds, callbacks',
      because: `${noHarmlessCall} for PAYMENT_SECRET_KEY, and signs callbacks with PAYMENT_HMAC_SECRET`,
    },
    {
      name: 'one-time codes',
      address: 'OTP_BASE_URL',
      keys: 'OTP_ACCOUNT_SID and OTP_AUTH_TOKEN',
      wire: 'docs/wires/otp.md',
      async work({ otp }, calls) {
        const answer = await otp.pretendSend('user', 'sms')
        if (answer.outcome === 'unavailable') throw answer.cause ?? new Unfit('the account cannot be used')
        requireTwilio(calls)
        return 'the account is accepted; whether its two Verify services exist is not checked'
      },
    },
    config.MESSAGES_ENABLED
      ? {
          name: 'messages by SMS',
          address: 'MESSAGES_BASE_URL',
          keys: 'MESSAGES_ACCOUNT_SID and MESSAGES_AUTH_TOKEN',
          wire: 'docs/wires/messages.md',
          async work({ messages }, calls) {
            if (await messages.read(`SM${randomBytes(16).toString('hex')}`))
              throw new Unfit('it knows a made-up message')
            requireTwilio(calls)
            return 'the account is accepted; whether MESSAGES_FROM may send is not checked'
          },
        }
      : { name: 'messages by SMS', because: 'MESSAGES_ENABLED is false' },
    config.SMTP_URL === undefined
      ? { name: 'mail', because: 'SMTP_URL is not set' }
      : {
          name: 'mail',
          address: 'SMTP_URL',
          keys: 'user and password in SMTP_URL',
          wire: 'docs/wires/mail.md',
          async work({ mail }) {
            const found = await mail?.check(limitMs)
            const hasUser = new URL(config.SMTP_URL ?? '').username !== ''
            if (hasUser && !found?.isSignedIn) throw new Unfit('the server offers no sign-in')
            return `${found?.isEncrypted ? 'TLS' : 'without TLS'}, ${found?.isSignedIn ? 'signed in' : 'without a user'}`
          },
        },
    // desk
    config.DESK_OIDC_ISSUER === undefined
      ? { name: 'identity provider', because: 'DESK_OIDC_ISSUER is not set' }
      : {
          name: 'identity provider',
          address: 'DESK_OIDC_ISSUER',
          keys: 'DESK_OIDC_ISSUER',
          wire: 'docs/wires/identity.md',
          async work({ identity }) {
            const keys = (await identity?.check()) ?? 0
            if (keys === 0) throw new Unfit('it has no keys')
            return `discovery, ${countOf(keys, 'key', 'keys')}; DESK_OIDC_CLIENT_SECRET is not checked`
          },
        },
    // desk
    {
      name: 'push messages',
      because:
        config.VAPID_PRIVATE_KEY === undefined
          ? 'VAPID_PRIVATE_KEY is not set'
          : `its key is valid; ${noHarmlessCall}`,
    },
    {
      name: 'Google Wallet',
      because:
        config.GOOGLE_WALLET_ACCOUNT === undefined
          ? 'GOOGLE_WALLET_ACCOUNT is not set'
          : `its key is valid; ${noHarmlessCall}`,
    },
  ]
}

/** The services of one check, which keep its last answer and end at its deadline. */
function servicesOf(calls: Calls) {
  return (name: string): ExternalService => {
    const service = createExternalService(name)
    const kept = (send: (request: HttpRequest) => Promise<HttpResponse>) => async (request: HttpRequest) => {
      calls.host = new URL(request.url).host
      const { signal } = request
      const ends = signal ? AbortSignal.any([signal, calls.deadline]) : calls.deadline
      const answer = await send({ ...request, signal: ends })
      if (answer.status >= (calls.answer?.status ?? 0)) calls.answer = answer
      return answer
    }
    return { request: kept(service.request), read: kept(service.read) }
  }
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (let each = error; each instanceof Error && causes.length < 10; each = each.cause) causes.push(each)
  return causes
}

/** What is wrong, and what the operator does about it. */
function faultOf(error: unknown, check: PartnerCheck, { answer, host, deadline }: Calls): string {
  const at = host ?? `the server of ${check.address}`
  if (deadline.aborted)
    return `no answer of ${at} within ${limitMs / 1_000} s: check the firewall, then ask the service`
  const causes = causesOf(error)
  const codes = causes
    .map((each) => (each as { code?: unknown }).code)
    .filter((code) => typeof code === 'string')
  const innermost = lineOf(causes.at(-1))
  const why = codes.at(-1) ?? innermost
  if (codes.includes('EAUTH')) return `the sign-in was refused: check ${check.keys}`
  if (causes.some((each) => each instanceof UnreachableError))
    return `no connection to ${at} (${why}): check ${check.address}, DNS and the firewall`
  if (causes.some((each) => each instanceof OutcomeUnknownError && each.status === undefined))
    return `no complete answer of ${at} (${why}): check ${check.address}, then ask the service`
  const { status = 0 } = answer ?? {}
  if (status === 401 || status === 403) return `answered ${status}: check ${check.keys}`
  if (status === 429) return 'answered 429, too many requests: try again in an hour'
  if (status >= 500) return `answered ${status}: the service fails, so ask it`
  if (answer || error instanceof Unfit)
    return `${innermost}: check ${check.address}, and compare ${check.wire}`
  return `no connection to ${at} (${why}): check ${check.address}, DNS and the firewall`
}

const lineFor = (name: string, state: string, text: string) => `${name.padEnd(40)}${state.padEnd(9)}${text}`

async function resultOf(check: PartnerCheck | Unchecked, config: Config) {
  if ('because' in check)
    return { isWrong: false, line: lineFor(check.name, '-', `not checked: ${check.because}`) }
  const begun = performance.now()
  const calls: Calls = {
    deadline: AbortSignal.timeout(limitMs),
    answer: undefined,
    host: undefined,
  }
  const time = () => `${Math.round(performance.now() - begun)} ms`
  try {
    const providers = createProviders({
      config,
      clock: systemClock,
      externalService: servicesOf(calls),
    })
    const found = await check.work(providers, calls)
    return { isWrong: false, line: lineFor(check.name, 'ok', `${found} (${time()})`) }
  } catch (error) {
    const line = lineFor(check.name, 'WRONG', `${faultOf(error, check, calls)} (${time()})`)
    return { isWrong: true, line }
  }
}

/** Calls every outside service once, changes nothing there and sends nothing to a person. */
export async function checkPartners(config: Config) {
  const results = await Promise.all(checksOf(config).map((check) => resultOf(check, config)))
  return {
    lines: results.map(({ line }) => line),
    wrong: results.filter(({ isWrong }) => isWrong).length,
  }
}

/** `npm run ops -- check-partners`: one line a service; exit code 1 when one cannot be used. */
export async function printPartnerChecks(): Promise<void> {
  const { lines, wrong } = await checkPartners(readConfig(process.env))
  console.log(lines.join('\n'))
  if (wrong > 0) process.exitCode = 1
}
