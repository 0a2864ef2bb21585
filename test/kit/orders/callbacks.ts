import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Value } from 'typebox/value'
import { receiveCallback } from '#shared/payments/payments.api.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { transactionSignatureText } from '#shared/wire/payment/payment.signature.ts'
import { type Transaction, TransactionCallback } from '#shared/wire/payment/payment.wire.ts'
import { eventually } from '../basics/eventually.ts'
import { sampleOf } from '../gateway/stub-service.ts'
import type { PaymentView } from '../programs/control.ts'

/** A callback as it goes over the wire. */
export interface Callback {
  /** With the query, signature included. */
  readonly path: string
  /** As sent. */
  readonly body: string
}

/** Receives callbacks in place of the gateway and stores them without delivering them. */
export interface MailBox {
  /** For the gateway's `CALLBACK_URL`. */
  readonly url: string
  /** The callbacks of a provider's order, oldest first. Resolves when there are at least `count`. */
  read(intentionOrderId: number, count: number): Promise<readonly Callback[]>
  close(): Promise<void>
}

export async function openMailBox(): Promise<MailBox> {
  const kept = new Map<number, Callback[]>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end('{}')
    // CALLBACK_URL is also that of the messaging service.
    if (request.url?.startsWith(receiveCallback.path) !== true) return
    const body = Buffer.concat(chunks).toString('utf8')
    const id: number = JSON.parse(body).obj.order.id
    kept.set(id, [...(kept.get(id) ?? []), { path: request.url, body }])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    read: (id, count) =>
      eventually(() => {
        const found = kept.get(id) ?? []
        return found.length >= count ? found : undefined
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Sends a callback to a gateway. Returns the HTTP status. */
export async function deliver(gatewayUrl: string, { path, body }: Callback): Promise<number> {
  const response = await fetch(`${gatewayUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

/** The provider's signature of a transaction, with the demo secret. */
export function signatureOf(
  transaction: Transaction,
  secret: string = demoAccounts.payment.hmacSecret,
): string {
  return createHmac('sha512', secret).update(transactionSignatureText(transaction)).digest('hex')
}

/** A callback, with a valid signature unless another one is given. */
export function callbackOf(transaction: Transaction, signature = signatureOf(transaction)): Callback {
  const body: TransactionCallback = { type: 'TRANSACTION', obj: transaction }
  return { path: `${receiveCallback.path}?hmac=${signature}`, body: JSON.stringify(body) }
}

let lastInvented = 0

/** A transaction number that the simulator does not use. */
function inventedId(): number {
  lastInvented += 1
  return 8_000_000_000_000 + lastInvented
}

/** A successful transaction on an intention, unknown to the provider, changed by `change`. */
export function successOn(
  payment: Pick<PaymentView, 'intentionOrderId' | 'reference' | 'amount' | 'currency'>,
  change: Partial<Transaction> = {},
): Transaction {
  const sample: unknown = sampleOf('payment', 'transaction-callback.success')
  if (!Value.Check(TransactionCallback, sample)) throw new Error('the stored sample is no callback')
  return {
    ...sample.obj,
    id: inventedId(),
    integration_id: demoAccounts.payment.integrationId,
    amount_cents: payment.amount,
    currency: payment.currency,
    order: {
      ...sample.obj.order,
      id: payment.intentionOrderId,
      merchant_order_id: payment.reference,
      amount_cents: payment.amount,
    },
    ...change,
  }
}

/** The transaction inside a callback. */
export function transactionIn({ body }: Callback): Transaction {
  const envelope: unknown = JSON.parse(body)
  if (!Value.Check(TransactionCallback, envelope)) throw new Error(`no callback: ${body}`)
  return envelope.obj
}
