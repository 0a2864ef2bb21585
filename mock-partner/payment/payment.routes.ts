import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Value } from 'typebox/value'
import {
  authTokenLifeSeconds,
  BillingData,
  IntentionItem,
  type Reversal,
} from '#shared/wire/payment/payment.wire.ts'
import type { Clock } from '../platform/clock.ts'
import type { PaymentService } from './payment.service.ts'
import { authProfile, elementObject, intentionObject } from './payment.wire.ts'
import type {
  IntentionRecord,
  IntentionTerms,
  PaymentWorld,
  ReversalAnswer,
  ReversalRefusal,
} from './payment.world.ts'

export interface PaymentAccount {
  secretKey: string
  publicKey: string
  apiKey: string
  hmacSecret: string
  integrationId: number
}

export interface PaymentRoutesOptions {
  clock: Clock
  world: PaymentWorld
  service: PaymentService
  account: PaymentAccount
}

/** 36 days: default and maximum (Postman collection of the provider). */
const longestExpirationSeconds = 3_110_400
const currency = 'SAR'

type FieldErrors = { [field: string]: string[] | FieldErrors }
type Body = Record<string, unknown>

const required = ['This field is required.']
const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const bodyOf = (request: FastifyRequest): Body => (isRecord(request.body) ? request.body : {})

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const refuse = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).send(body)
const notFound = (reply: FastifyReply): FastifyReply => refuse(reply, 404, { detail: 'Not found.' })
const badKey = (reply: FastifyReply): FastifyReply =>
  refuse(reply, 401, { detail: 'Authentication credentials were not provided.' })

/** Errors by field in the way of Django REST framework; empty when the value fits. */
function errorsOfBilling(value: unknown): FieldErrors | string[] {
  if (value === undefined) return required
  if (!isRecord(value)) return ['Invalid data. Expected a dictionary.']
  const errors: FieldErrors = {}
  for (const field of ['first_name', 'last_name', 'email', 'phone_number'] as const) {
    const text = value[field]
    if (text === undefined || text === null) errors[field] = required
    else if (typeof text !== 'string') errors[field] = ['Not a valid string.']
    else if (text.trim() === '') errors[field] = ['This field may not be blank.']
    else if (field.endsWith('_name') && text.length > 50)
      errors[field] = ['Ensure this field has no more than 50 characters.']
    else if (field === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
      errors[field] = ['Enter a valid email address.']
  }
  return errors
}

function errorsOfItems(value: unknown): FieldErrors | string[] {
  if (!Array.isArray(value)) return ['Expected a list of items.']
  const errors: FieldErrors = {}
  for (const item of value) {
    for (const field of ['name', 'amount'])
      if (!isRecord(item) || item[field] === undefined) errors[field] = required
    if (Object.keys(errors).length === 0 && !Value.Check(IntentionItem, item))
      errors.name = ['Ensure this field has no more than 50 characters.']
  }
  return errors
}

const isEmpty = (errors: FieldErrors | string[]): boolean => Object.keys(errors).length === 0

function errorsOfIntention(body: Body, isPartial: boolean): FieldErrors {
  const errors: FieldErrors = {}
  const note = (field: string, found: FieldErrors | string[]): void => {
    if (!isEmpty(found)) errors[field] = found
  }
  const isAsked = (field: string): boolean => !isPartial || body[field] !== undefined

  if (isAsked('amount')) {
    if (body.amount === undefined) note('amount', required)
    else if (!Number.isSafeInteger(body.amount)) note('amount', ['A valid integer is required.'])
    else if (Number(body.amount) <= 0) note('amount', ['Ensure this value is greater than or equal to 1.'])
  }
  if (!isPartial) {
    if (body.currency === undefined) note('currency', required)
    else if (typeof body.currency !== 'string') note('currency', ['Not a valid string.'])
  }
  if (isAsked('payment_methods')) {
    if (body.payment_methods === undefined) note('payment_methods', required)
    else if (!Array.isArray(body.payment_methods) || body.payment_methods.length === 0)
      note('payment_methods', ['This list may not be empty.'])
  }
  if (isAsked('billing_data')) note('billing_data', errorsOfBilling(body.billing_data))
  if (body.items !== undefined) note('items', errorsOfItems(body.items))
  if (body.extras !== undefined && !isRecord(body.extras)) note('extras', ['Expected a dictionary of items.'])
  const { expiration } = body
  if (
    expiration !== undefined &&
    !(
      Number.isSafeInteger(expiration) &&
      Number(expiration) > 0 &&
      Number(expiration) <= longestExpirationSeconds
    )
  )
    note('expiration', [`Ensure this value is between 1 and ${longestExpirationSeconds}.`])
  for (const field of ['special_reference', 'notification_url', 'redirection_url']) {
    const value = body[field]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') note(field, ['Not a valid string.'])
    else if (field.endsWith('_url') && !URL.canParse(value)) note(field, ['Enter a valid URL.'])
  }
  return errors
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** Call only after `errorsOfIntention` found nothing. */
function termsOf(body: Body): Partial<IntentionTerms> {
  const terms: Partial<IntentionTerms> = {}
  if (typeof body.amount === 'number') terms.amountHalalas = body.amount
  if (Array.isArray(body.items)) terms.items = body.items.filter((item) => Value.Check(IntentionItem, item))
  if (Value.Check(BillingData, body.billing_data)) terms.billing = body.billing_data
  if (body.special_reference !== undefined) terms.reference = textOrNull(body.special_reference)
  if (typeof body.expiration === 'number') terms.expirationSeconds = body.expiration
  if (body.notification_url !== undefined) terms.notificationUrl = textOrNull(body.notification_url)
  if (body.redirection_url !== undefined) terms.redirectionUrl = textOrNull(body.redirection_url)
  return terms
}

const reversalRefusals: Readonly<Record<ReversalRefusal, { status: number; body: unknown }>> = {
  'not-found': { status: 404, body: { detail: 'Not found.' } },
  'not-paid': { status: 400, body: { message: 'Transaction was not successful' } },
  'amount-invalid': { status: 400, body: { amount_cents: ['A valid integer is required.'] } },
  'amount-too-large': { status: 400, body: { message: 'Refund amount exceeds the refundable amount' } },
  'already-voided': { status: 400, body: { message: 'Transaction is already voided' } },
  'already-refunded': { status: 400, body: { message: 'Transaction is already refunded' } },
  settled: { status: 400, body: { message: 'Transaction is settled and can only be refunded' } },
}

/** An id may come as an integer or as its digits. */
function idOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

/** Paymob KSA below the base URL: `/v1/intention/…` and `/api/…`. */
export async function registerPaymentRoutes(
  app: FastifyInstance,
  options: PaymentRoutesOptions,
): Promise<void> {
  const { clock, world, service, account } = options

  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    if (error.statusCode === undefined) app.log.error(error)
    return refuse(reply, error.statusCode ?? 500, { detail: error.message })
  })
  app.setNotFoundHandler((_request, reply) => notFound(reply))

  // ---- Authorization

  /** The documents say `Token`, Odoo sends `Bearer`: both are taken. */
  const hasSecretKey = (request: FastifyRequest): boolean => {
    const { authorization = '' } = request.headers
    return isEqual(authorization.replace(/^(Token|Bearer) /, ''), account.secretKey)
  }

  /** Signed instead of remembered, so that a token outlives a restart of the simulator. */
  const signToken = (claims: string) =>
    createHmac('sha256', account.apiKey).update(claims).digest('base64url')

  function issueToken(): string {
    const claims = Buffer.from(
      JSON.stringify({ exp: clock.now() + authTokenLifeSeconds * 1_000, n: world.reserveId() }),
    ).toString('base64url')
    return `${claims}.${signToken(claims)}`
  }

  function isGoodToken(token: string): boolean {
    const [claims = '', signature = ''] = token.split('.')
    if (!isEqual(signature, signToken(claims))) return false
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp: number }
    return clock.now() < exp
  }

  /** Header, or the older spellings: `auth_token` in the body, `token` in the query. */
  function hasAuthToken(request: FastifyRequest): boolean {
    const { authorization } = request.headers
    if (authorization?.startsWith('Bearer ')) return isGoodToken(authorization.slice('Bearer '.length))
    const inBody = bodyOf(request).auth_token
    const inQuery = isRecord(request.query) ? request.query.token : undefined
    const token = inBody ?? inQuery
    return typeof token === 'string' && isGoodToken(token)
  }

  // ---- Intentions

  function isKnownMethod(method: unknown): boolean {
    return method === account.integrationId || method === 'card'
  }

  function refuseTerms(
    reply: FastifyReply,
    body: Body,
    isPartial: boolean,
    amount: unknown,
  ): FastifyReply | null {
    const errors = errorsOfIntention(body, isPartial)
    if (!isEmpty(errors)) return refuse(reply, 400, errors)
    if (Array.isArray(body.payment_methods) && !body.payment_methods.every(isKnownMethod))
      return refuse(reply, 404, { detail: 'Integration ID/Name does not exist in our system' })
    if (!isPartial && body.currency !== currency)
      return refuse(reply, 400, { currency: ['Currency does not match the integration.'] })
    const { items } = termsOf(body)
    const sum = items?.reduce((total, item) => total + item.amount, 0)
    if (sum !== undefined && items?.length !== 0 && sum !== amount)
      return refuse(reply, 406, {
        code: 'unmatched_item_prices',
        detail: 'The sum of items does not match amount',
      })
    return null
  }

  const duplicateReference = (reply: FastifyReply): FastifyReply =>
    refuse(reply, 400, { special_reference: ['An intention with this reference already exists.'] })

  app.post('/v1/intention/', async (request, reply) => {
    if (!hasSecretKey(request)) return badKey(reply)
    const body = bodyOf(request)
    const refusal = refuseTerms(reply, body, false, body.amount)
    if (refusal !== null) return refusal
    const terms = termsOf(body)
    if (terms.amountHalalas === undefined || terms.billing === undefined)
      return refuse(reply, 400, { billing_data: ['Invalid data.'] })
    const intention = world.create({
      items: [],
      reference: null,
      notificationUrl: null,
      redirectionUrl: null,
      expirationSeconds: longestExpirationSeconds,
      ...terms,
      integrationId: account.integrationId,
      amountHalalas: terms.amountHalalas,
      billing: terms.billing,
      currency,
      extras: isRecord(body.extras) ? body.extras : {},
    })
    if (intention === 'duplicate-reference') return duplicateReference(reply)
    return reply.code(201).send(intentionObject(intention))
  })

  async function updateIntention(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (!hasSecretKey(request)) return badKey(reply)
    const { clientSecret } = request.params as { clientSecret: string }
    const intention = world.findByClientSecret(clientSecret)
    if (intention === undefined) return notFound(reply)
    const body = bodyOf(request)
    if (body.accept_order_id === undefined) return refuse(reply, 400, { accept_order_id: required })
    if (idOf(body.accept_order_id) !== intention.orderId)
      return refuse(reply, 400, { accept_order_id: ['Does not belong to this intention.'] })
    const refusal = refuseTerms(reply, body, true, body.amount ?? intention.amountHalalas)
    if (refusal !== null) return refusal
    const updated = world.update(intention, termsOf(body))
    if (updated === 'duplicate-reference') return duplicateReference(reply)
    if (updated === 'in-payment') return refuse(reply, 400, { detail: 'Intention can no longer be updated' })
    return intentionObject(updated)
  }
  app.put('/v1/intention/:clientSecret', updateIntention)
  app.put('/v1/intention/:clientSecret/', updateIntention)

  function obstacleOf(intention: IntentionRecord): { error: string; redirect: string | null } | undefined {
    const status = world.statusOf(intention)
    if (status === 'open') return undefined
    const paid = world.transactionsOf(intention).findLast(({ kind }) => kind === 'payment')
    const query = paid === undefined ? undefined : service.redirectQueryOf(paid)
    const redirect = query === undefined ? null : service.redirectUrlOf(intention, query)
    return { error: status, redirect }
  }

  app.get<{ Params: { publicKey: string; clientSecret: string } }>(
    '/v1/intention/element/:publicKey/:clientSecret/',
    async (request, reply) => {
      const { publicKey, clientSecret } = request.params
      const intention = world.findByClientSecret(clientSecret)
      if (publicKey !== account.publicKey || intention === undefined) return notFound(reply)
      return elementObject(intention, obstacleOf(intention))
    },
  )

  // ---- Inquiry

  app.post('/api/auth/tokens', async (request, reply) => {
    const { api_key: key } = bodyOf(request)
    if (key === undefined) return refuse(reply, 400, { api_key: required })
    if (typeof key !== 'string' || !isEqual(key, account.apiKey))
      return refuse(reply, 401, { detail: 'incorrect credentials' })
    return reply.code(201).send({ token: issueToken(), profile: authProfile() })
  })

  app.post('/api/ecommerce/orders/transaction_inquiry', async (request, reply) => {
    if (!hasAuthToken(request)) return badKey(reply)
    const { order_id: orderId, merchant_order_id: reference } = bodyOf(request)
    const id = idOf(orderId)
    if (id === undefined && typeof reference !== 'string') return refuse(reply, 400, { order_id: required })
    const intention = id === undefined ? world.findByReference(String(reference)) : world.findByOrderId(id)
    const latest = intention === undefined ? undefined : world.transactionsOf(intention).at(-1)
    const object = latest === undefined ? undefined : service.describe(latest, 'inquiry')
    return object ?? notFound(reply)
  })

  app.get<{ Params: { id: string } }>('/api/acceptance/transactions/:id', async (request, reply) => {
    if (!hasAuthToken(request)) return badKey(reply)
    const id = idOf(request.params.id)
    const transaction = id === undefined ? undefined : world.findTransaction(id)
    const object = transaction === undefined ? undefined : service.describe(transaction, 'inquiry')
    return object ?? notFound(reply)
  })

  // ---- Money back

  function answerReversal(reply: FastifyReply, answer: ReversalAnswer): FastifyReply {
    if (answer.kind === 'refused') {
      const { status, body } = reversalRefusals[answer.reason]
      return refuse(reply, status, body)
    }
    const object: Reversal | undefined = service.describe(answer.child, 'inquiry')
    return reply.code(201).send(object)
  }

  /** `Token <secret key>`; third parties report that the inquiry token works as well. */
  const mayReverse = (request: FastifyRequest): boolean => hasSecretKey(request) || hasAuthToken(request)

  app.post('/api/acceptance/void_refund/refund', async (request, reply) => {
    if (!mayReverse(request)) return badKey(reply)
    const { transaction_id: transactionId, amount_cents: amount } = bodyOf(request)
    const id = idOf(transactionId)
    if (id === undefined) return refuse(reply, 400, { transaction_id: required })
    return answerReversal(reply, service.refund(id, idOf(amount) ?? Number.NaN))
  })

  app.post('/api/acceptance/void_refund/void', async (request, reply) => {
    if (!mayReverse(request)) return badKey(reply)
    const id = idOf(bodyOf(request).transaction_id)
    if (id === undefined) return refuse(reply, 400, { transaction_id: required })
    return answerReversal(reply, service.void(id))
  })
}
