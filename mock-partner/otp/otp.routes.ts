import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type OtpError,
  otpErrorCodes,
  otpSidPatterns,
  type Verification,
  type VerificationAttempts,
  type VerificationCheck,
} from '#shared/wire/otp/otp.wire.ts'
import { basicAuthorization, isEqual } from '../platform/credentials.ts'
import { hang, isUnusual } from '../platform/faults.ts'
import { type FormFields, readForms } from '../platform/form-body.ts'
import { inForm, magicForms, magicPhones, refusalOfChannel } from './otp.scenarios.ts'
import type { OtpRefusal, OtpState, SendRecord, VerificationRecord } from './otp.state.ts'

export interface OtpAccount {
  accountSid: string
  authToken: string
  /** The services of the account. */
  serviceSids: readonly string[]
}

/** Twilio writes times to the second. */
const timeOf = (epochMs: number): string => new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, 'Z')

function errorOf(status: number, code: number, message: string): OtpError {
  return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }
}

function refuse(reply: FastifyReply, status: number, code: number, message: string): FastifyReply {
  const body = errorOf(status, code, message)
  return reply
    .code(status)
    .send(isUnusual(reply.request) ? { ...body, code: String(code), status: null } : body)
}

function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: OtpRefusal): FastifyReply {
  switch (refusal.kind) {
    case 'invalid':
      return refuse(reply, 400, otpErrorCodes.invalidParameter, `Invalid parameter \`${refusal.parameter}\``)
    case 'max-sends':
      return refuse(reply, 429, otpErrorCodes.maxSends, 'Max send attempts reached')
    case 'max-checks':
      return refuse(reply, 429, otpErrorCodes.maxChecks, 'Max check attempts reached')
    case 'not-found': {
      const [path] = request.url.split('?')
      return refuse(
        reply,
        404,
        otpErrorCodes.notFound,
        `The requested resource ${path?.replace(/^.*\/v2\//, '/')} was not found`,
      )
    }
  }
}

/** The usual form, or an unusual one: 201 is usual for a send, 200 for the rest. */
function answer(
  reply: FastifyReply,
  record: VerificationRecord,
  body: Verification | VerificationCheck,
  status: 200 | 201 = 200,
): FastifyReply {
  const form = magicForms[record.to] ?? (isUnusual(reply.request) ? 'loose' : undefined)
  if (form === undefined) return reply.code(status).send(body)
  return reply.code(status === 200 ? 201 : 200).send(inForm(form, body))
}

const commonOf = (record: VerificationRecord, accountSid: string) => ({
  sid: record.sid,
  service_sid: record.serviceSid,
  account_sid: accountSid,
  to: record.to,
  channel: record.channel,
  status: record.status,
  valid: record.status === 'approved',
  amount: null,
  payee: null,
  date_created: timeOf(record.createdAt),
  date_updated: timeOf(record.updatedAt),
})

const verificationOf = (
  request: FastifyRequest,
  record: VerificationRecord,
  accountSid: string,
): Verification => ({
  ...commonOf(record, accountSid),
  lookup: {},
  send_code_attempts: record.sends.map(({ at, attemptSid, channel }) => ({
    time: timeOf(at),
    channel: channel.toUpperCase(),
    attempt_sid: attemptSid,
  })),
  sna: null,
  url: `${request.protocol}://${request.host}${request.url.replace(/\/Verifications.*$/, '')}/Verifications/${record.sid}`,
})

interface OtpRoutesOptions {
  state: OtpState
  account: OtpAccount
}

/** Twilio Verify v2 below `/v2`. */
export async function registerOtpRoutes(
  app: FastifyInstance,
  { state, account }: OtpRoutesOptions,
): Promise<void> {
  readForms(app)
  const authorization = basicAuthorization(account.accountSid, account.authToken)

  app.addHook('preHandler', async (request, reply) => {
    if (!isEqual(request.headers.authorization ?? '', authorization))
      return refuse(reply, 401, otpErrorCodes.authenticate, 'Authenticate')
    const { service } = request.params as { service?: string }
    // A list of attempts is of the whole account.
    if (service === undefined) return
    if (!otpSidPatterns.service.test(service) || !account.serviceSids.includes(service))
      return sendRefusal(request, reply, { kind: 'not-found' })
  })

  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, { kind: 'not-found' }))

  registerSending(app, state, account)
  registerVerification(app, state, account)
  registerChecking(app, state, account)
  registerAttempts(app, state, account)
}

function registerSending(app: FastifyInstance, state: OtpState, { accountSid }: OtpAccount): void {
  app.post<{ Params: { service: string }; Body?: FormFields }>(
    '/v2/Services/:service/Verifications',
    { config: { operation: 'send-code' } },
    async (request, reply) => {
      const { To = '', Channel = '', Locale, ChannelConfiguration } = request.body ?? {}
      const magic = magicPhones[To] ?? refusalOfChannel(To, Channel)
      if (magic?.kind === 'hang') return hang(reply)
      if (magic?.kind === 'break') return refuse(reply, 500, 20500, 'Internal Server Error')
      if (magic?.kind === 'refuse') return refuse(reply, magic.status, magic.code, magic.message)
      const sent = state.send(request.params.service, {
        to: To,
        channel: Channel,
        locale: Locale === '' ? undefined : Locale,
        substitutions: substitutionsIn(ChannelConfiguration),
      })
      if (sent.kind !== 'sent') return sendRefusal(request, reply, sent)
      return answer(reply, sent.verification, verificationOf(request, sent.verification, accountSid), 201)
    },
  )
}

/** docs/wires/otp.md O31 */
function substitutionsIn(configuration: string | undefined): Readonly<Record<string, string>> {
  if (configuration === undefined || configuration === '') return {}
  const { substitutions = {} } = JSON.parse(configuration) as {
    substitutions?: Readonly<Record<string, string>>
  }
  return substitutions
}

function registerVerification(app: FastifyInstance, state: OtpState, { accountSid }: OtpAccount): void {
  app.get<{ Params: { service: string; sid: string } }>(
    '/v2/Services/:service/Verifications/:sid',
    { config: { operation: 'read-verification' } },
    async (request, reply) => {
      const verification = state.find(request.params.service, request.params.sid)
      if (verification === undefined) return sendRefusal(request, reply, { kind: 'not-found' })
      return answer(reply, verification, verificationOf(request, verification, accountSid))
    },
  )

  app.post<{ Params: { service: string; sid: string }; Body?: FormFields }>(
    '/v2/Services/:service/Verifications/:sid',
    { config: { operation: 'end-verification' } },
    async (request, reply) => {
      const status = request.body?.Status
      if (status !== 'canceled' && status !== 'approved')
        return sendRefusal(request, reply, { kind: 'invalid', parameter: 'Status' })
      const verification = state.update(request.params.service, request.params.sid, status)
      if (verification === undefined) return sendRefusal(request, reply, { kind: 'not-found' })
      return answer(reply, verification, verificationOf(request, verification, accountSid))
    },
  )
}

function registerChecking(app: FastifyInstance, state: OtpState, { accountSid }: OtpAccount): void {
  app.post<{ Params: { service: string }; Body?: FormFields }>(
    '/v2/Services/:service/VerificationCheck',
    { config: { operation: 'check-code' } },
    async (request, reply) => {
      const { To, VerificationSid, Code = '' } = request.body ?? {}
      if (To === undefined && VerificationSid === undefined)
        return sendRefusal(request, reply, { kind: 'invalid', parameter: 'To' })
      const by = VerificationSid === undefined ? { to: To ?? '' } : { sid: VerificationSid }
      const checked = state.check(request.params.service, by, Code)
      if (checked.kind !== 'checked') return sendRefusal(request, reply, checked)
      const { verification } = checked
      return answer(reply, verification, {
        ...commonOf(verification, accountSid),
        sna_attempts_error_codes: [],
      })
    },
  )
}

/** A message is `sent` for a second; a call has no such status (docs/wires/otp.md O25). */
function channelDataOf({ at, channel, isLost }: SendRecord, to: string, now: number) {
  if (channel === 'call') return { to }
  const last = isLost ? 'undelivered' : 'delivered'
  return { to, message_status: now < at + 1_000 ? 'sent' : last }
}

function registerAttempts(app: FastifyInstance, state: OtpState, { accountSid }: OtpAccount): void {
  app.get<{ Querystring: { VerificationSid?: string; Channel?: string } }>(
    '/v2/Attempts',
    { config: { operation: 'list-attempts' } },
    async (request): Promise<VerificationAttempts> => {
      const { VerificationSid = '', Channel } = request.query
      const attempts = state
        .attempts(VerificationSid)
        .filter(({ send }) => Channel === undefined || send.channel === Channel)
      const base = `${request.protocol}://${request.host}${request.url.replace(/\?.*$/, '')}`
      return {
        attempts: attempts.map(({ verification, send }) => ({
          sid: send.attemptSid,
          account_sid: accountSid,
          service_sid: verification.serviceSid,
          verification_sid: verification.sid,
          date_created: timeOf(send.at),
          date_updated: timeOf(send.at),
          conversion_status: 'unconverted',
          channel: send.channel,
          price: null,
          channel_data: channelDataOf(send, verification.to, state.now()),
          url: `${base}/${send.attemptSid}`,
        })),
        meta: {
          key: 'attempts',
          page: 0,
          page_size: 50,
          url: base,
          first_page_url: base,
          next_page_url: null,
          previous_page_url: null,
        },
      }
    },
  )
}
