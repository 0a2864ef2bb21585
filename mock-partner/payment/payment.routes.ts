import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { currency } from '#shared/platform/money.ts'
import { longestExpirationSeconds } from '#shared/wire/payment/payment.wire.ts'
import type { Clock } from '../platform/clock.ts'
import { isEqual } from '../platform/credentials.ts'
import { bodyOf, type Credentials, createCredentials, type PaymentAccount } from './payment.credentials.ts'
import type { IntentionRecord, ReversalAnswer, ReversalRefusal } from './payment.records.ts'
import { type Body, errorsOfIntention, idOf, isEmpty, isRecord, required, termsOf } from './payment.rules.ts'
import type { PaymentService } from './payment.service.ts'
import type { PaymentState } from './payment.state.ts'
import { authProfile, elementObject, intentionObject, unusualIntention } from './payment.wire.ts'

interface PaymentRoutesOptions {
  clock: Clock
  state: PaymentState
  service: PaymentService
  account: PaymentAccount
}

interface RouteContext extends PaymentRoutesOptions {
  credentials: Credentials
}

const refuse = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).send(body)
const notFound = (reply: FastifyReply): FastifyReply => refuse(reply, 404, { detail: 'Not found.' })
const unauthorized = (reply: FastifyReply): FastifyReply =>
  refuse(reply, 401, { detail: 'Authentication credentials were not provided.' })
const duplicateReference = (reply: FastifyReply): FastifyReply =>
  refuse(reply, 400, { special_reference: ['An intention with this reference already exists.'] })

const reversalRefusals: Readonly<Record<ReversalRefusal, { status: number; body: unknown }>> = {
  'not-found': { status: 404, body: { detail: 'Not found.' } },
  'not-paid': { status: 400, body: { message: 'Transaction was not successful' } },
  'amount-invalid': { status: 400, body: { amount_cents: ['A valid integer is required.'] } },
  'amount-too-large': { status: 400, body: { message: 'Refund amount exceeds the refundable amount' } },
  'already-voided': { status: 400, body: { message: 'Transaction is already voided' } },
  'already-refunded': { status: 400, body: { message: 'Transaction is already refunded' } },
  settled: { status: 400, body: { message: 'Transaction is settled and can only be refunded' } },
}

/** Paymob KSA below the base URL: `/v1/intention/…` and `/api/…`. */
export async function registerPaymentRoutes(
  app: FastifyInstance,
  options: PaymentRoutesOptions,
): Promise<void> {
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    if (error.statusCode === undefined) app.log.error(error)
    return refuse(reply, error.statusCode ?? 500, { detail: error.message })
  })
  app.setNotFoundHandler((_request, reply) => notFound(reply))

  const { clock, account, state } = options
  const context: RouteContext = {
    ...options,
    credentials: createCredentials({ clock, account, newTokenNumber: () => state.reserveId() }),
  }
  registerIntentionRoutes(app, context)
  registerElementRoute(app, context)
  registerInquiryRoutes(app, context)
  registerReversalRoutes(app, context)
}

function registerIntentionRoutes(app: FastifyInstance, { state, account, credentials }: RouteContext): void {
  const isKnownMethod = (method: unknown): boolean => method === account.integrationId || method === 'card'

  /** Answers a refusal of the terms, or null when they are valid. */
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

  app.post('/v1/intention/', { config: { operation: 'create-intention' } }, async (request, reply) => {
    if (!credentials.hasSecretKey(request)) return unauthorized(reply)
    const body = bodyOf(request)
    const refusal = refuseTerms(reply, body, false, body.amount)
    if (refusal !== null) return refusal
    const terms = termsOf(body)
    if (terms.amountHalalas === undefined || terms.billing === undefined)
      return refuse(reply, 400, { billing_data: ['Invalid data.'] })
    const intention = state.create({
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
    const object = intentionObject(intention)
    if (state.drawsUnusual()) return reply.code(200).send(unusualIntention(object))
    return reply.code(201).send(object)
  })

  async function updateIntention(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (!credentials.hasSecretKey(request)) return unauthorized(reply)
    const { clientSecret } = request.params as { clientSecret: string }
    const intention = state.findByClientSecret(clientSecret)
    if (intention === undefined) return notFound(reply)
    const body = bodyOf(request)
    if (body.accept_order_id === undefined) return refuse(reply, 400, { accept_order_id: required })
    if (idOf(body.accept_order_id) !== intention.orderId)
      return refuse(reply, 400, { accept_order_id: ['Does not belong to this intention.'] })
    const refusal = refuseTerms(reply, body, true, body.amount ?? intention.amountHalalas)
    if (refusal !== null) return refusal
    const updated = state.update(intention, termsOf(body))
    if (updated === 'duplicate-reference') return duplicateReference(reply)
    if (updated === 'in-payment') return refuse(reply, 400, { detail: 'Intention can no longer be updated' })
    return intentionObject(updated)
  }
  const changeIntention = { config: { operation: 'change-intention' } }
  app.put('/v1/intention/:clientSecret', changeIntention, updateIntention)
  app.put('/v1/intention/:clientSecret/', changeIntention, updateIntention)
}

function registerElementRoute(app: FastifyInstance, { state, service, account }: RouteContext): void {
  function obstacleOf(intention: IntentionRecord): { error: string; redirect: string | null } | undefined {
    const status = state.statusOf(intention)
    if (status === 'open') return undefined
    const paid = state.transactionsOf(intention).findLast(({ kind }) => kind === 'payment')
    const query = paid === undefined ? undefined : service.redirectQueryOf(paid)
    const redirect = query === undefined ? null : service.redirectUrlOf(intention, query)
    return { error: status, redirect }
  }

  app.get<{ Params: { publicKey: string; clientSecret: string } }>(
    '/v1/intention/element/:publicKey/:clientSecret/',
    { config: { operation: 'open-form' } },
    async (request, reply) => {
      const { publicKey, clientSecret } = request.params
      const intention = state.findByClientSecret(clientSecret)
      if (publicKey !== account.publicKey || intention === undefined) return notFound(reply)
      return elementObject(intention, obstacleOf(intention))
    },
  )
}

function registerInquiryRoutes(
  app: FastifyInstance,
  { state, service, account, credentials }: RouteContext,
): void {
  app.post('/api/auth/tokens', { config: { operation: 'sign-in' } }, async (request, reply) => {
    const { api_key: key } = bodyOf(request)
    if (key === undefined) return refuse(reply, 400, { api_key: required })
    if (typeof key !== 'string' || !isEqual(key, account.apiKey))
      return refuse(reply, 401, { detail: 'incorrect credentials' })
    return reply.code(201).send({ token: credentials.issueToken(), profile: authProfile() })
  })

  const inquire = { config: { operation: 'inquire' } }
  app.post('/api/ecommerce/orders/transaction_inquiry', inquire, async (request, reply) => {
    if (!credentials.hasAuthToken(request)) return unauthorized(reply)
    const { order_id: orderId, merchant_order_id: reference } = bodyOf(request)
    const id = idOf(orderId)
    if (id === undefined && typeof reference !== 'string') return refuse(reply, 400, { order_id: required })
    const intention = id === undefined ? state.findByReference(String(reference)) : state.findByOrderId(id)
    const all = intention === undefined ? [] : state.transactionsOf(intention)
    const latest = all.map(state.listed).findLast((each) => each !== undefined)
    const object = latest === undefined ? undefined : service.describe(latest, 'inquiry')
    return object ?? notFound(reply)
  })

  app.get<{ Params: { id: string } }>(
    '/api/acceptance/transactions/:id',
    { config: { operation: 'read-transaction' } },
    async (request, reply) => {
      if (!credentials.hasAuthToken(request)) return unauthorized(reply)
      const id = idOf(request.params.id)
      const transaction = id === undefined ? undefined : state.listed(state.findTransaction(id))
      const object = transaction === undefined ? undefined : service.describe(transaction, 'inquiry')
      return object ?? notFound(reply)
    },
  )
}

function registerReversalRoutes(app: FastifyInstance, { service, credentials }: RouteContext): void {
  function answerReversal(reply: FastifyReply, answer: ReversalAnswer): FastifyReply {
    if (answer.kind === 'refused') {
      const { status, body } = reversalRefusals[answer.reason]
      return refuse(reply, status, body)
    }
    return reply.code(answer.child.isUnusual ? 200 : 201).send(service.describe(answer.child, 'inquiry'))
  }

  /** The inquiry token is reported to work as well (docs/wires/payment.md P4). */
  const mayReverse = (request: FastifyRequest): boolean =>
    credentials.hasSecretKey(request) || credentials.hasAuthToken(request)

  const refund = { config: { operation: 'refund' } }
  app.post('/api/acceptance/void_refund/refund', refund, async (request, reply) => {
    if (!mayReverse(request)) return unauthorized(reply)
    const { transaction_id: transactionId, amount_cents: amount } = bodyOf(request)
    const id = idOf(transactionId)
    if (id === undefined) return refuse(reply, 400, { transaction_id: required })
    return answerReversal(reply, service.refund(id, idOf(amount) ?? Number.NaN))
  })

  const undo = { config: { operation: 'void' } }
  app.post('/api/acceptance/void_refund/void', undo, async (request, reply) => {
    if (!mayReverse(request)) return unauthorized(reply)
    const id = idOf(bodyOf(request).transaction_id)
    if (id === undefined) return refuse(reply, 400, { transaction_id: required })
    return answerReversal(reply, service.void(id))
  })
}
