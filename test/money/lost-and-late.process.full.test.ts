import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renewPayment } from '#shared/orders/orders.operations.ts'
import { receiveCallback } from '#shared/payments/payments.operations.ts'
import type { Transaction } from '#shared/wire/payment/payment.wire.ts'
import { issuedAwb, type Pilgrim, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import {
  type Callback,
  callbackOf,
  deliver,
  type MailBox,
  openMailBox,
  signatureOf,
  successOn,
  transactionIn,
} from '#test/kit/callbacks.ts'
import type { PaymentView } from '#test/kit/control.ts'
import { deploymentsOrOne, startDeployment } from '#test/kit/deployments.ts'
import { eventually } from '#test/kit/eventually.ts'
import { callbacksMet, metricsOf } from '#test/kit/metrics.ts'
import { newPerson } from '#test/kit/person.ts'
import { shipmentsByOrder } from '#test/kit/shipments.ts'
import type { ProcessStack } from '#test/kit/stack.ts'

describe.each(deploymentsOrOne('sqlite'))('$name', (deployment) => {
  let mail: MailBox
  let stack: ProcessStack
  let pilgrim: Pilgrim

  beforeAll(async () => {
    mail = await openMailBox()
    stack = await startDeployment(deployment, mail.url)
    pilgrim = await signedUpPilgrim(stack)
  })
  afterAll(async () => {
    await stack?.close()
    await mail?.close()
  })

  async function createOrder(): Promise<{ orderId: number; payment: PaymentView }> {
    const { orderId } = await pilgrim.person.checkout(pilgrim.user.id)
    const [payment] = await stack.control.paymentsOf(orderId)
    if (payment === undefined) throw new Error('the provider knows no payment of the order')
    return { orderId, payment }
  }

  const orderOf = (orderId: number) => pilgrim.person.order(orderId)

  /** Sends a callback to every gateway in turn; returns the statuses. */
  async function bring(callback: Callback): Promise<number[]> {
    const statuses: number[] = []
    for (const url of stack.gatewayUrls) statuses.push(await deliver(url, callback))
    return statuses
  }

  const met = (outcome: string) => callbacksMet(stack.gatewayUrls, outcome)

  /** Performs an action that must be counted under `outcome`, once per gateway, and must not change the order. */
  async function changesNothing(orderId: number, outcome: string, work: () => Promise<unknown>) {
    const before = await met(outcome)
    await work()
    expect(await met(outcome)).toBe(before + stack.gatewayUrls.length)
    const { status, transactionId, bookings } = await orderOf(orderId)
    expect({ status, transactionId, awbs: bookings.map(({ awb }) => awb) }).toEqual({
      status: 'PENDING_PAYMENT',
      transactionId: undefined,
      awbs: [null],
    })
  }

  const all = (status: number) => stack.gatewayUrls.map(() => status)

  describe('a lost callback', () => {
    it('is replaced by an inquiry with the merchant’s reference from the thank-you page', async () => {
      const { orderId, payment } = await createOrder()
      const { redirectUrl } = await stack.control.replay(orderId, 'success', { callback: 'lose' })
      const reference = new URL(redirectUrl).searchParams.get('merchant_order_id') ?? ''
      expect(reference).toBe(payment.reference)
      // The page may be connected to any of the gateways.
      const gatewayUrl = stack.gatewayUrls.at(-1) ?? stack.gatewayUrl
      const page = newPerson(stack, { gatewayUrl, browserOf: pilgrim.person })
      expect((await page.order(reference)).status).toBe('PAID')
      await issuedAwb(pilgrim.person, orderId)
      expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
    })

    it('is replaced by an inquiry that fails at first', async () => {
      const { orderId } = await createOrder()
      await stack.control.replay(orderId, 'success', { callback: 'lose' })
      await stack.control.setFault('payment', { kind: 'status', status: 500 })
      expect((await orderOf(orderId)).status).toBe('PENDING_PAYMENT')
      await stack.control.endFaults()
      await eventually(async () => ((await orderOf(orderId)).status === 'PAID' ? true : undefined), {
        withinMs: 20_000,
        everyMs: 250,
      })
    })

    it('changes nothing when it arrives after the order is paid', async () => {
      const { orderId, payment } = await createOrder()
      await stack.control.replay(orderId, 'success')
      const [late] = await mail.read(payment.intentionOrderId, 1)
      if (late === undefined) throw new Error('no callback came')
      expect((await orderOf(orderId)).status).toBe('PAID')
      const awb = await issuedAwb(pilgrim.person, orderId)
      const repeated = await met('repeated')
      expect(await bring(late)).toEqual(all(200))
      expect(await met('repeated')).toBe(repeated + stack.gatewayUrls.length)
      expect((await orderOf(orderId)).bookings.map((booking) => booking.awb)).toEqual([awb])
      expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
    })

    it('of a decline leaves the order payable', async () => {
      const { orderId } = await createOrder()
      await stack.control.replay(orderId, 'decline', { callback: 'lose' })
      expect((await orderOf(orderId)).status).toBe('PENDING_PAYMENT')
    })
  })

  describe('a wrong amount', () => {
    it.each([
      ['one halala short', { amount_cents: 4_999 }],
      ['one halala over', { amount_cents: 5_001 }],
      ['in another currency', { currency: 'EGP' }],
    ] as const)('%s does not pay, and is recorded with its outcome', async (_, change) => {
      const { orderId, payment } = await createOrder()
      const wrong = successOn(payment, change)
      const before = await met('amount-mismatch')
      expect(await deliver(stack.gatewayUrl, callbackOf(wrong))).toBe(200)
      expect((await orderOf(orderId)).status).toBe('PENDING_PAYMENT')
      expect(await met('amount-mismatch')).toBe(before + 1)
      const line = stack.logs().find((each) => each.includes(`"transactionId":"${wrong.id}"`)) ?? ''
      expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({
        level: 50,
        event: 'payments.reported',
        outcome: 'amount-mismatch',
        orderId,
        amountHalalas: wrong.amount_cents,
      })

      // The right amount, by another transaction, still pays the order.
      expect(await deliver(stack.gatewayUrl, callbackOf(successOn(payment)))).toBe(200)
      expect((await orderOf(orderId)).status).toBe('PAID')
    })

    it('is refunded automatically, and the next payment pays the order', async () => {
      const { orderId, payment } = await createOrder()
      await stack.control.replay(orderId, 'success', { callback: 'mismatch' })
      const [callback] = await mail.read(payment.intentionOrderId, 1)
      if (callback === undefined) throw new Error('no callback came')
      expect(await bring(callback)).toEqual(all(200))
      const back = await eventually(
        async () => {
          const order = await orderOf(orderId)
          return order.refund?.state === 'done' ? order : undefined
        },
        { withinMs: 30_000, everyMs: 250 },
      )
      expect(back).toMatchObject({
        status: 'PENDING_PAYMENT',
        payable: true,
        refund: { amount: 49, reason: 'wrong-amount' },
      })
      const again = await pilgrim.person.call(renewPayment, { params: { id: String(orderId) } })
      expect(again.clientSecret).not.toBe(payment.clientSecret)
      const [fresh] = await stack.control.paymentsOf(orderId)
      if (fresh === undefined) throw new Error('the provider knows no payment of the order')
      expect(await deliver(stack.gatewayUrl, callbackOf(successOn(fresh)))).toBe(200)
      expect(await orderOf(orderId)).toMatchObject({ status: 'PAID', refund: { state: 'done' } })
      const [spoilt] = (await stack.control.paymentsOf(orderId)).filter(({ id }) => id === payment.id)
      expect(
        spoilt?.transactions.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount),
      ).toEqual([4_900])
    })

    it('does not pay by an inquiry either', async () => {
      const { orderId, payment } = await createOrder()
      await stack.control.replay(orderId, 'success', { callback: 'mismatch' })
      expect((await orderOf(orderId)).status).toBe('PENDING_PAYMENT')
      const [callback] = await mail.read(payment.intentionOrderId, 1)
      if (callback === undefined) throw new Error('no callback came')
      // The inquiry has already stored this event.
      await changesNothing(orderId, 'repeated', async () => expect(await bring(callback)).toEqual(all(200)))
      expect((await shipmentsByOrder(stack.control)).has(orderId)).toBe(false)
    })
  })

  describe('a forged callback', () => {
    it('with a wrong signature is refused', async () => {
      const { orderId, payment } = await createOrder()
      const { callbacks } = await stack.control.replay(orderId, 'success', { callback: 'forge' })
      expect(callbacks).toHaveLength(1)
      const [forged] = await mail.read(payment.intentionOrderId, 1)
      if (forged === undefined) throw new Error('no callback came')
      await changesNothing(orderId, 'forged', async () => expect(await bring(forged)).toEqual(all(401)))
    })

    it.each<[string, (transaction: Transaction) => string]>([
      ['another secret', (transaction) => signatureOf(transaction, 'another-secret')],
      ['half a signature', (transaction) => signatureOf(transaction).slice(0, 64)],
      ['capital letters', (transaction) => signatureOf(transaction).toUpperCase()],
      ['no signature', () => ''],
      ['the signature of another transaction', (transaction) => signatureOf({ ...transaction, id: 1 })],
    ])('with %s is refused', async (_, signature) => {
      const { orderId, payment } = await createOrder()
      const success = successOn(payment)
      await changesNothing(orderId, 'forged', async () =>
        expect(await bring(callbackOf(success, signature(success)))).toEqual(all(401)),
      )
    })

    it.each<[string, Partial<Transaction>]>([
      ['its outcome', { success: true, error_occured: false }],
      ['its amount', { amount_cents: 5_000 }],
      ['that it is pending', { pending: false }],
    ])('about %s does not match its signature', async (_, lie) => {
      const { orderId, payment } = await createOrder()
      const truth = successOn(payment, {
        success: false,
        error_occured: true,
        amount_cents: 100,
        pending: true,
      })
      const lying = callbackOf({ ...truth, ...lie }, signatureOf(truth))
      await changesNothing(orderId, 'forged', async () => expect(await bring(lying)).toEqual(all(401)))
    })

    it('changed to name another order does not match its signature', async () => {
      const mine = await createOrder()
      const other = await createOrder()
      const truth = successOn(other.payment)
      const lie = { ...truth, order: { ...truth.order, id: mine.payment.intentionOrderId } }
      await changesNothing(mine.orderId, 'forged', async () =>
        expect(await bring(callbackOf(lie, signatureOf(truth)))).toEqual(all(401)),
      )
    })

    it('with the reference of another order is stored and not applied', async () => {
      const mine = await createOrder()
      const other = await createOrder()
      const success = successOn(other.payment)
      const lie = { ...success, order: { ...success.order, merchant_order_id: mine.payment.reference } }
      await changesNothing(mine.orderId, 'reference-mismatch', async () =>
        expect(await bring(callbackOf(lie))).toEqual(all(200)),
      )
      expect((await orderOf(other.orderId)).status).toBe('PENDING_PAYMENT')
    })

    it('about an order of another merchant is stored and pays nothing', async () => {
      const { orderId, payment } = await createOrder()
      const foreign = successOn({ ...payment, intentionOrderId: payment.intentionOrderId + 1_000_000 })
      await changesNothing(orderId, 'unknown-order', async () =>
        expect(await bring(callbackOf(foreign))).toEqual(all(200)),
      )
    })

    it('with a truncated body is refused and counted', async () => {
      const { orderId, payment } = await createOrder()
      const { path, body } = callbackOf(successOn(payment))
      const refused = async () =>
        (await metricsOf(stack.gatewayUrls)).get(
          `amtiati_http_request_duration_seconds_count{method="POST",route="${receiveCallback.path}",status="400"}`,
        ) ?? 0
      const before = await refused()
      for (const length of [1, Math.floor(body.length / 2), body.length - 1])
        expect(await bring({ path, body: body.slice(0, length) })).toEqual(all(400))
      expect(await refused()).toBe(before + 3 * stack.gatewayUrls.length)
      // An empty body has no signed fields.
      expect(await bring({ path, body: '' })).toEqual(all(401))
      expect((await orderOf(orderId)).status).toBe('PENDING_PAYMENT')
    })

    it.each<[string, (envelope: Record<string, unknown>) => unknown]>([
      [
        'without its order',
        ({ obj, ...rest }) => ({ ...rest, obj: { ...(obj as object), order: undefined } }),
      ],
      ['with words for numbers', ({ obj, ...rest }) => ({ ...rest, obj: { ...(obj as object), id: '1' } })],
      ['without anything inside', ({ type }) => ({ type })],
      ['of another type', ({ obj }) => ({ type: 'ORDER', obj })],
      ['that is a list', (envelope) => [envelope]],
      ['that is null', () => null],
    ])('%s is not accepted', async (_, spoil) => {
      const { orderId, payment } = await createOrder()
      const { path, body } = callbackOf(successOn(payment))
      const spoilt = { path, body: JSON.stringify(spoil(JSON.parse(body))) }
      await changesNothing(orderId, 'unreadable', async () => expect(await bring(spoilt)).toEqual(all(401)))
    })

    it('with changed unsigned fields does not prevent the genuine one from counting', async () => {
      const { orderId, payment } = await createOrder()
      await stack.control.replay(orderId, 'success')
      const [truth] = await mail.read(payment.intentionOrderId, 1)
      if (truth === undefined) throw new Error('no callback came')
      const transaction = transactionIn(truth)
      const lies: Transaction['order'][] = [
        { ...transaction.order, merchant_order_id: 'OD1-OTHER' },
        { ...transaction.order, merchant_order_id: '', amount_cents: 1 },
      ]
      const applied = await met('applied')
      for (const order of lies)
        expect(await bring(callbackOf({ ...transaction, order }, signatureOf(transaction)))).toEqual(all(200))
      expect(await met('applied')).toBe(applied)
      expect(await deliver(stack.gatewayUrl, truth)).toBe(200)
      const order = await orderOf(orderId)
      expect([order.status, order.transactionId]).toEqual(['PAID', String(transaction.id)])
      await issuedAwb(pilgrim.person, orderId)
      expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
    })
  })

  describe('a genuine callback', () => {
    /** The same value with the fields of every object in reverse order. */
    const reordered = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reordered)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, reordered(inner)]),
      )
    }

    it('counts with its fields in another order and with white space', async () => {
      const { orderId, payment } = await createOrder()
      const { path, body } = callbackOf(successOn(payment))
      const other = JSON.stringify(reordered(JSON.parse(body)), null, 2)
      expect(other).not.toBe(body)
      expect(await deliver(stack.gatewayUrl, { path, body: other })).toBe(200)
      expect((await orderOf(orderId)).status).toBe('PAID')
    })

    it('is acknowledged and ignored when it is about a saved card', async () => {
      const { orderId, payment } = await createOrder()
      const body = JSON.stringify({ type: 'TOKEN', obj: { id: 1, order_id: payment.intentionOrderId } })
      await changesNothing(orderId, 'acknowledged', async () =>
        expect(await bring({ path: `${receiveCallback.path}?hmac=1`, body })).toEqual(all(200)),
      )
    })

    it('may report a pending payment', async () => {
      const { orderId, payment } = await createOrder()
      const pending = successOn(payment, { pending: true, success: false })
      expect(await deliver(stack.gatewayUrl, callbackOf(pending))).toBe(200)
      expect((await orderOf(orderId)).status).toBe('PENDING_PAYMENT')
      expect(await deliver(stack.gatewayUrl, callbackOf({ ...pending, pending: false, success: true }))).toBe(
        200,
      )
      expect((await orderOf(orderId)).status).toBe('PAID')
    })
  })
})
