import { createHmac, timingSafeEqual } from 'node:crypto'
import { Value } from 'typebox/value'
import type { Answer, Exchange } from '#server/platform/http-client.ts'
import type { Outsider } from '#server/platform/outsider.ts'
import { transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import {
  AuthToken,
  authTokenLifeSeconds,
  Intention,
  paymentPaths,
  Reversal,
  Transaction,
  TransactionCallback,
} from '#shared/wire/payment/payment.wire.ts'
import { type IntentionPlaces, intentionRequestOf, reportOf } from './payments.gateway.map.ts'
import { type PaymentGateway, ProviderRefusal } from './payments.gateway.ts'

export interface PaymentAccount extends IntentionPlaces {
  readonly baseUrl: string
  readonly secretKey: string
  readonly apiKey: string
  readonly hmacSecret: string
}

const timeoutMs = 10_000
/** An inquiry token is renewed this long before it runs out. */
const tokenMarginMs = 5 * 60_000

/** Paymob KSA. `now` is epoch milliseconds and decides only when the inquiry token is renewed. */
export function createPaymentGateway(
  account: PaymentAccount,
  outsider: Outsider,
  now: () => number,
): PaymentGateway {
  let inquiryToken: { value: string; until: number } | undefined

  async function authToken(): Promise<string> {
    if (inquiryToken && now() < inquiryToken.until) return inquiryToken.value
    const { status, body } = await outsider.read({
      method: 'POST',
      url: `${account.baseUrl}${paymentPaths.authTokens}`,
      json: { api_key: account.apiKey },
      timeoutMs,
    })
    if (status >= 300 || !Value.Check(AuthToken, body)) throw new ProviderRefusal('auth token', status, body)
    inquiryToken = { value: body.token, until: now() + authTokenLifeSeconds * 1000 - tokenMarginMs }
    return body.token
  }

  /** A question under the inquiry token, which the provider may forget before its time. */
  async function ask(question: Pick<Exchange, 'method' | 'json'> & { path: string }): Promise<Answer> {
    const once = async () =>
      outsider.read({
        method: question.method,
        url: `${account.baseUrl}${question.path}`,
        headers: { authorization: `Bearer ${await authToken()}` },
        timeoutMs,
        ...(question.json === undefined ? {} : { json: question.json }),
      })
    const answer = await once()
    if (answer.status !== 401) return answer
    inquiryToken = undefined
    return once()
  }

  async function readTransaction(id: number): Promise<Transaction | undefined> {
    const { status, body } = await ask({ method: 'GET', path: paymentPaths.transaction(id) })
    if (status === 404) return undefined
    if (status >= 300 || !Value.Check(Transaction, body) || body.id !== id)
      throw new ProviderRefusal('read transaction', status, body)
    return body
  }

  function isSigned(transaction: Transaction, signature: string | undefined): boolean {
    const expected = createHmac('sha512', account.hmacSecret)
      .update(transactionSignatureText(transaction))
      .digest('hex')
    const given = Buffer.from(signature ?? '')
    return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
  }

  return {
    async createIntention(request) {
      const { status, body } = await outsider.exchange({
        method: 'POST',
        url: `${account.baseUrl}${paymentPaths.createIntention}`,
        headers: { authorization: `Token ${account.secretKey}` },
        json: intentionRequestOf(request, account),
        timeoutMs,
      })
      if (status >= 300 || !Value.Check(Intention, body))
        throw new ProviderRefusal('create intention', status, body)
      return {
        intentionId: body.id,
        providerOrderId: body.intention_order_id,
        clientSecret: body.client_secret,
      }
    },

    async inquire(intention) {
      const json =
        'reference' in intention
          ? { merchant_order_id: intention.reference }
          : { order_id: intention.providerOrderId }
      const { status, body } = await ask({ method: 'POST', path: paymentPaths.transactionInquiry, json })
      if (status === 404) return undefined
      if (status >= 300 || !Value.Check(Transaction, body)) throw new ProviderRefusal('inquiry', status, body)
      // An answer about another order is no answer.
      const isAsked =
        'reference' in intention
          ? body.order.merchant_order_id === intention.reference
          : body.order.id === intention.providerOrderId
      if (!isAsked) throw new ProviderRefusal('inquiry', status, { order: body.order.id })
      const parent = body.has_parent_transaction && body.parent_transaction
      return reportOf((parent && (await readTransaction(parent))) || body)
    },

    async readTransaction(transactionId) {
      const transaction = await readTransaction(Number(transactionId))
      return transaction && reportOf(transaction)
    },

    async refund(transactionId, amountHalalas) {
      const { status, body } = await outsider.exchange({
        method: 'POST',
        url: `${account.baseUrl}${paymentPaths.refund}`,
        headers: { authorization: `Token ${account.secretKey}` },
        json: { transaction_id: Number(transactionId), amount_cents: amountHalalas },
        timeoutMs,
      })
      // A 2xx that says `success: false` is a refusal, too.
      if (status >= 300 || !Value.Check(Reversal, body) || (!body.success && !body.pending))
        throw new ProviderRefusal('refund', status, body)
    },

    readCallback(body, signature) {
      if (typeof body !== 'object' || body === null) return { outcome: 'unreadable' }
      if ('type' in body && body.type === 'TOKEN') return { outcome: 'acknowledged', type: 'TOKEN' }
      if ('intention' in body && 'transaction' in body) return { outcome: 'acknowledged', type: 'legacy' }
      if (!Value.Check(TransactionCallback, body)) return { outcome: 'unreadable' }
      if (!isSigned(body.obj, signature)) return { outcome: 'forged' }
      // The signed fields are joined without separators: a digit that moves from the integration to the transaction
      // next to it makes another transaction under the same signature, which everybody who pays can read in the redirect.
      if (body.obj.integration_id !== account.integrationId) return { outcome: 'forged' }
      return { outcome: 'report', report: reportOf(body.obj) }
    },
  }
}
