import { createHmac } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ExternalService } from '#server/platform/external-service.ts'
import type { HttpRequest, HttpResponse } from '#server/platform/http-client.ts'
import { isSameSecret } from '#server/platform/secrets.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import {
  otherOrderIds,
  tokenSignatureText,
  transactionSignatureText,
} from '#shared/wire/payment/payment.signature.ts'
import {
  AuthToken,
  authTokenLifeSeconds,
  FlashCallback,
  Intention,
  paymentPaths,
  Reversal,
  TokenCallback,
  Transaction,
  TransactionCallback,
} from '#shared/wire/payment/payment.wire.ts'
import {
  type CallbackUrls,
  intentionRequestOf,
  parentOf,
  reportOf,
  wholeNumberOf,
} from './payments.provider.map.ts'
import { type CallbackReading, type PaymentProvider, ProviderRefusal } from './payments.provider.ts'
import { answerTimeoutMs } from './payments.rules.ts'

export interface PaymentAccount extends CallbackUrls {
  readonly baseUrl: string
  readonly secretKey: string
  readonly apiKey: string
  readonly hmacSecret: string
  readonly previousHmacSecret?: string | undefined
}

const tokenMarginMs = 5 * 60_000

/**
 * Connects Paymob KSA. Inquiries have their own `ExternalService`, so that payments can be opened while inquiries fail.
 */
export function createPaymentProvider(
  account: PaymentAccount,
  services: { readonly payment: ExternalService; readonly inquiry: ExternalService },
  now: () => number,
): PaymentProvider {
  let inquiryToken: { value: string; until: number } | undefined

  async function authToken(signal: AbortSignal | undefined) {
    if (inquiryToken && now() < inquiryToken.until) return inquiryToken.value
    const { status, body } = await services.inquiry.read({
      operation: 'get-token',
      method: 'POST',
      url: `${account.baseUrl}${paymentPaths.authTokens}`,
      json: { api_key: account.apiKey },
      timeoutMs: answerTimeoutMs,
      signal,
    })
    if (status >= 300 || !Value.Check(AuthToken, body)) throw new ProviderRefusal('auth token', status, body)
    inquiryToken = { value: body.token, until: now() + authTokenLifeSeconds * 1000 - tokenMarginMs }
    return body.token
  }

  /** A new token is tried after a 401, because the provider can revoke a token. */
  async function ask(
    question: Pick<HttpRequest, 'operation' | 'method' | 'json' | 'signal'> & { path: string },
  ): Promise<HttpResponse> {
    const once = async () =>
      services.inquiry.read({
        operation: question.operation,
        method: question.method,
        url: `${account.baseUrl}${question.path}`,
        headers: { authorization: `Bearer ${await authToken(question.signal)}` },
        timeoutMs: answerTimeoutMs,
        signal: question.signal,
        ...(question.json === undefined ? {} : { json: question.json }),
      })
    const answer = await once()
    if (answer.status !== 401) return answer
    inquiryToken = undefined
    return once()
  }

  async function readTransaction(id: number, signal?: AbortSignal): Promise<Transaction | undefined> {
    const { status, body } = await ask({
      signal,
      operation: 'read-transaction',
      method: 'GET',
      path: paymentPaths.transaction(id),
    })
    if (status === 404) return undefined
    if (status >= 300 || !Value.Check(Transaction, body) || body.id !== id)
      throw new ProviderRefusal('read transaction', status, body)
    return body
  }

  const isSignedWith = (secret: string, text: string, signature = '') =>
    isSameSecret(signature, createHmac('sha512', secret).update(text).digest('hex'))

  function secretOf(text: string, signature: string | undefined): 'current' | 'previous' | undefined {
    if (isSignedWith(account.hmacSecret, text, signature)) return 'current'
    const { previousHmacSecret } = account
    const isPrevious = previousHmacSecret !== undefined && isSignedWith(previousHmacSecret, text, signature)
    return isPrevious ? 'previous' : undefined
  }

  return {
    async createIntention(request, signal) {
      const { status, body } = await services.payment.request({
        operation: 'create-intention',
        method: 'POST',
        url: `${account.baseUrl}${paymentPaths.createIntention}`,
        headers: { authorization: `Token ${account.secretKey}` },
        json: intentionRequestOf(request, account),
        timeoutMs: answerTimeoutMs,
        signal,
      })
      const isIntention = status < 300 && Value.Check(Intention, body)
      const providerOrderId = isIntention ? wholeNumberOf(body.intention_order_id) : undefined
      if (!isIntention || providerOrderId === undefined)
        throw new ProviderRefusal('create intention', status, body)
      return {
        intentionId: typeof body.id === 'string' ? body.id : null,
        providerOrderId,
        clientSecret: body.client_secret,
      }
    },

    async inquire(intention, signal) {
      const { status, body } = await ask({
        operation: 'inquire',
        method: 'POST',
        path: paymentPaths.transactionInquiry,
        json: askedFor(intention),
        signal,
      })
      if (status === 404) return undefined
      if (status >= 300 || !Value.Check(Transaction, body)) throw new ProviderRefusal('inquiry', status, body)
      if (!isAbout(body, intention)) throw new ProviderRefusal('inquiry', status, { order: body.order.id })
      if (!body.has_parent_transaction) return reportOf(body)
      const parent = parentOf(body)
      const payment = parent === undefined ? undefined : await readTransaction(parent, signal)
      // A child transaction does not show the state of its payment.
      if (!payment)
        throw new ProviderRefusal('inquiry: unreadable parent', status, { parent: parent ?? null })
      return reportOf(payment)
    },

    async readTransaction(transactionId) {
      const transaction = await readTransaction(Number(transactionId))
      return transaction && reportOf(transaction)
    },

    async refund(transactionId, amountHalalas) {
      const { status, body } = await services.payment.request({
        operation: 'refund',
        method: 'POST',
        url: `${account.baseUrl}${paymentPaths.refund}`,
        headers: { authorization: `Token ${account.secretKey}` },
        json: { transaction_id: Number(transactionId), amount_cents: amountHalalas },
        timeoutMs: answerTimeoutMs,
      })
      if (status >= 300) throw new ProviderRefusal('refund', status, body)
      // The provider accepted the request, so the money was possibly returned.
      if (!Value.Check(Reversal, body)) throw new OutcomeUnknownError('refund: unreadable answer')
      if (!body.success && body.pending !== true) throw new ProviderRefusal('refund', status, body)
    },

    readCallback(body, signature) {
      if (Value.Check(OfToken, body)) {
        const isGenuine =
          !Value.Check(TokenCallback, body) || secretOf(tokenSignatureText(body.obj), signature)
        return isGenuine ? { outcome: 'acknowledged', type: 'TOKEN' } : { outcome: 'forged' }
      }
      if (!Value.Check(TransactionCallback, body)) return readFlashCallback(body)
      const secret = secretOf(transactionSignatureText(body.obj), signature)
      if (!secret) return { outcome: 'forged' }
      // The signed text has no separators. A payer could move a digit from the integration id to the transaction id
      // beside it and reuse the signature, so the integration id must be ours.
      if (body.obj.integration_id !== account.integrationId) return { outcome: 'forged' }
      return { outcome: 'report', secret, report: reportOf(body.obj), otherOrderIds: otherOrderIds(body.obj) }
    },
  }
}

const OfToken = Type.Object({ type: Type.Literal('TOKEN') })

type Intended = Parameters<PaymentProvider['inquire']>[0]

const askedFor = (intention: Intended) =>
  'reference' in intention
    ? { merchant_order_id: intention.reference }
    : { order_id: intention.providerOrderId }

const isAbout = (transaction: Static<typeof Transaction>, intention: Intended) =>
  'reference' in intention
    ? reportOf(transaction).merchantReference === intention.reference
    : transaction.order.id === intention.providerOrderId

function readFlashCallback(body: unknown): CallbackReading {
  if (!Value.Check(FlashCallback, body)) return { outcome: 'unreadable' }
  const { id } = body.intention
  return { outcome: 'hint', type: 'flash', intentionId: typeof id === 'string' ? id : undefined }
}
