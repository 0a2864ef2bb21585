import type { FastifyInstance } from 'fastify'
import type { MailState } from '../mail/mail.state.ts'
import type { MessagingState } from '../messaging/messaging.state.ts'
import type { OtpState } from '../otp/otp.state.ts'
import { usual } from '../payment/payment.scenarios.ts'
import type { PaymentService } from '../payment/payment.service.ts'
import type { PaymentState } from '../payment/payment.state.ts'
import type { Deliveries } from '../platform/deliveries.ts'
import { type FaultMatch, type FaultSettings, type Faults, faultDefaults } from '../platform/faults.ts'
import type { Journal } from '../platform/journal.ts'
import { readOrderNumber } from '../platform/references.ts'
import type { Journeys } from '../shipping/shipping.journey.ts'
import { renderLabel } from '../shipping/shipping.label.ts'
import type { Pushes } from '../shipping/shipping.pushes.ts'
import { orderNumberOf } from '../shipping/shipping.references.ts'
import type { ShippingControl } from '../shipping/shipping.settings.ts'
import type { ShipmentRecord, ShippingState } from '../shipping/shipping.state.ts'
import { type BothSidesOptions, registerBothSidesControl } from './both-sides.routes.ts'
import {
  AdvanceBody,
  ControlError,
  FaultBody,
  faultyServices,
  JourneyBody,
  limitOf,
  parse,
  phoneOf,
  ReplayBody,
  ShippingBody,
  textOf,
  UnusualBody,
  unknownRef,
  WidgetBody,
} from './control.schemas.ts'
import { callbackView, mailView, messageView, paymentView, smsView } from './control.views.ts'
import { registerJournalRoutes } from './journal.routes.ts'
import { registerOrdersRoutes } from './orders.routes.ts'
import { refuseForeignPages } from './same-origin.ts'

interface ControlRoutesOptions extends BothSidesOptions {
  faults: Faults
  journal: Journal
  deliveries: Deliveries
  otp: OtpState
  mail: MailState
  messaging: MessagingState
  payment: PaymentState
  payments: PaymentService
  shipping: ShippingState
  shippingControl: ShippingControl
  journeys: Journeys
  pushes: Pushes
}

/** The control API for testers: reads the state, and decides what happens next. */
export async function registerControlRoutes(
  app: FastifyInstance,
  options: ControlRoutesOptions,
): Promise<void> {
  app.setErrorHandler<Error & { statusCode?: number; error?: string }>((error, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) app.log.error(error)
    return reply.code(status).send({ error: error.error ?? 'INVALID_REQUEST', message: error.message })
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: 'NOT_FOUND', message: `${request.method} ${request.url} does not exist` }),
  )

  refuseForeignPages(app)
  registerJournalRoutes(app, options.journal)
  registerPaymentControl(app, options)
  registerShippingControl(app, options)
  registerJourneyControl(app, options)
  registerFaultControl(app, options)
  registerUnusualControl(app, options)
  registerBothSidesControl(app, options)
  registerOverviewControl(app, options)
  await app.register((scope) => registerOrdersRoutes(scope, options))
}

const paymentsOf = ({ payment, deliveries }: ControlRoutesOptions, limit: number) =>
  payment.list(limit).map((intention) => paymentView(payment, deliveries.listOf(intention.id), intention))

function registerPaymentControl(app: FastifyInstance, options: ControlRoutesOptions): void {
  const { payment, payments, deliveries } = options
  app.get('/payments', async (request) => ({ payments: paymentsOf(options, limitOf(request.query)) }))

  app.get<{ Params: { ref: string } }>('/payments/:ref', async (request) => {
    const { ref } = request.params
    const found = payment.findAll(ref)
    if (found.length === 0) throw unknownRef('payment', ref)
    return {
      payments: found.map((each) => paymentView(payment, deliveries.listOf(each.id), each)),
    }
  })

  app.post<{ Params: { ref: string } }>('/payments/:ref/replay', async (request) => {
    const { ref } = request.params
    const { outcome, callback = 'send', delayMs } = parse(ReplayBody, request.body)
    const answer = await payments.replay(ref, { outcome, callback, delayMs })
    if (answer.kind === 'unknown') throw unknownRef('payment', ref)
    if (answer.kind === 'refused')
      throw new ControlError(
        409,
        'REPLAY_REFUSED',
        `${outcome} of "${ref}" is not possible: ${answer.reason}`,
      )
    return { redirectUrl: answer.redirectUrl, callbacks: answer.callbacks.map(callbackView) }
  })

  app.put('/widget', async (request) => {
    const { refusal } = parse(WidgetBody, request.body)
    payments.refuseNext(refusal)
    return { refusal }
  })

  app.delete('/widget', async () => {
    payments.refuseNext(undefined)
    return { refusal: null }
  })
}

function shipmentView({ journeys, pushes }: ControlRoutesOptions, shipment: ShipmentRecord) {
  return {
    ...shipment,
    orderNumber: orderNumberOf(shipment) ?? null,
    scans: journeys.scansOf(shipment),
    pushes: pushes.listOf(shipment).map(callbackView),
  }
}

export type ShipmentView = ReturnType<typeof shipmentView>

/** By reference, airway bill or order number (`42` or `OD-42`); oldest first. @throws ControlError */
function shipmentsAt({ shipping }: ControlRoutesOptions, ref: string): ShipmentRecord[] {
  const found = shipping.findShipments(ref)
  if (found.length > 0) return found
  const number = readOrderNumber(ref)
  const ofOrder =
    number === undefined
      ? []
      : shipping
          .listShipments()
          .filter((each) => orderNumberOf(each) === number)
          .reverse()
  if (ofOrder.length === 0) throw unknownRef('shipment', ref)
  return ofOrder
}

const newestShipmentAt = (options: ControlRoutesOptions, ref: string): ShipmentRecord =>
  shipmentsAt(options, ref).at(-1) as ShipmentRecord

function registerShippingControl(app: FastifyInstance, options: ControlRoutesOptions): void {
  const { shipping, shippingControl } = options
  app.get('/shipments', async (request) => ({
    shipments: shipping
      .listShipments()
      .slice(0, limitOf(request.query))
      .map((shipment) => shipmentView(options, shipment)),
  }))

  app.get<{ Params: { reference: string } }>('/shipments/:reference', async (request) => {
    const { reference } = request.params
    const shipments = shipmentsAt(options, reference)
    return { shipments: shipments.map((shipment) => shipmentView(options, shipment)) }
  })

  /** The label of the newest shipment of a reference, without the key that the partner's own call requires. */
  app.get<{ Params: { reference: string } }>('/shipments/:reference/label', async (request, reply) => {
    const { reference } = request.params
    const shipment = newestShipmentAt(options, reference)
    return reply.type('application/pdf').send(await renderLabel(shipment))
  })

  app.get('/shipping', async () => shippingControl.read())

  app.put('/shipping', async (request) => {
    shippingControl.change(parse(ShippingBody, request.body))
    return shippingControl.read()
  })
}

/** Scans on demand, and bags that travel by themselves. */
function registerJourneyControl(app: FastifyInstance, options: ControlRoutesOptions): void {
  const { shipping, journeys, pushes } = options

  app.post<{ Params: { reference: string } }>('/shipments/:reference/advance', async (request) => {
    const { reference } = request.params
    const { to, push, delayMs, scan } = parse(AdvanceBody, request.body ?? {})
    if (scan !== undefined && to !== undefined)
      throw new ControlError(400, 'INVALID_REQUEST', 'scan and to exclude each other')
    const shipment = newestShipmentAt(options, reference)
    const scans = scan ? [journeys.addScan(shipment, scan)] : journeys.advance(shipment, to)
    if (scans === undefined)
      throw new ControlError(409, 'ADVANCE_REFUSED', `"${reference}" is collected: name a step with \`to\``)
    const sent = await pushes.push(shipment, scans, {
      ...(push && { mode: push }),
      ...(delayMs !== undefined && { delayMs }),
    })
    const { reference: ref, awb } = shipment
    return { reference: ref, awb, scans, pushes: sent.map(callbackView) }
  })

  app.get('/journey', async () => ({ minutesPerDay: journeys.pace() }))

  app.put('/journey', async (request) => {
    journeys.setPace(parse(JourneyBody, request.body).minutesPerDay)
    return { minutesPerDay: journeys.pace() }
  })

  /** Calls of the courier's tracking. */
  app.get('/tracking', async () => ({ calls: shipping.trackingCounts }))
}

/** @throws ControlError */
function faultOf(service: string, body: unknown, operations: readonly string[]): FaultSettings {
  const { match, ...settings } = parse(FaultBody, body)
  const refuse = (message: string) => new ControlError(400, 'INVALID_REQUEST', message)
  if (settings.kind === 'unusual' && service !== 'otp') throw refuse('kind unusual is known to otp alone')
  const { delay } = settings
  if (delay !== undefined && settings.kind !== 'delay') throw refuse('delay belongs to kind delay')
  if (delay !== undefined && delay.min > delay.max) throw refuse('delay/min must be <= delay/max')
  const fault = { ...faultDefaults, ...settings }
  if (match === undefined) return fault
  const { operation, order, ...rest } = match
  if (operation !== undefined && !operations.includes(operation))
    throw refuse(`match/operation must be one of ${operations.join(', ')}`)
  const number = readOrderNumber(order)
  if (order !== undefined && number === undefined)
    throw refuse('match/order must be a number such as 42 or OD-42')
  const read: FaultMatch = {
    ...(operation !== undefined && { operation }),
    ...(number !== undefined && { order: number }),
    ...rest,
  }
  return { ...fault, match: read }
}

function registerFaultControl(app: FastifyInstance, { faults }: ControlRoutesOptions): void {
  /** `faults`: the general one of each service; `active`: every one; `held`: what holds wait for. */
  const listed = () => ({ faults: faults.list(), active: faults.active(), held: faults.held() })
  app.get('/faults', async () => listed())

  app.put<{ Params: { service: string } }>('/faults/:service', async (request) => {
    const { service } = request.params
    if (!faultyServices.some((known) => known === service))
      throw new ControlError(404, 'UNKNOWN_SERVICE', `service must be one of ${faultyServices.join(', ')}`)
    const { id } = faults.set(service, faultOf(service, request.body, faults.operationsOf(service)))
    return { id, ...listed() }
  })

  app.delete<{ Params: { id: string } }>('/faults/:id', async (request) => {
    const { id } = request.params
    if (!/^\d{1,15}$/.test(id) || !faults.end(Number(id)))
      throw new ControlError(404, 'UNKNOWN_FAULT', `there is no active fault "${id}"`)
    return listed()
  })

  app.delete('/faults', async () => {
    faults.clear()
    return listed()
  })
}

function registerUnusualControl(app: FastifyInstance, { payment }: ControlRoutesOptions): void {
  app.get('/unusual/payment', async () => payment.unusual())

  app.put('/unusual/payment', async (request) => {
    payment.setUnusual({ ...usual, ...parse(UnusualBody, request.body) })
    return payment.unusual()
  })

  app.delete('/unusual/payment', async () => {
    payment.setUnusual(usual)
    return payment.unusual()
  })
}

function countersOf({ otp, payment, deliveries, shipping, messaging }: ControlRoutesOptions) {
  return {
    ...otp.counters(),
    ...payment.counters(),
    callbacks: deliveries.attempts('payment') + deliveries.attempts('tracking'),
    ...shipping.counters(),
    ...messaging.counters(),
  }
}
export type Counters = ReturnType<typeof countersOf>

/** Inbox, counters, and the overview that the panel shows. */
function registerOverviewControl(app: FastifyInstance, options: ControlRoutesOptions): void {
  const { clock, faults, otp, messaging, payment } = options
  const inboxOf = (phone?: string) => otp.inbox(phone).map(messageView)
  const smsOf = (phone: string | undefined, limit: number) =>
    messaging.list(phone, limit).map((message) => smsView(message, messaging.callbacksOf(message)))
  const counters = () => countersOf(options)

  app.get('/inbox', async (request) => ({ messages: inboxOf(phoneOf(request.query)) }))

  app.get('/messages', async (request) => ({
    messages: smsOf(phoneOf(request.query), limitOf(request.query)),
  }))

  /** Letters, newest first, with their attachments. */
  app.get('/mails', async (request) => ({
    mails: options.mail.list(textOf(request.query, 'to')).slice(0, limitOf(request.query)).map(mailView),
  }))

  app.get('/counters', async () => counters())

  /** The facts that the panel shows on every screen. */
  app.get('/overview', async () => ({
    now: new Date(clock.now()).toISOString(),
    minutesPerDay: options.journeys.pace(),
    faults: faults.active(),
    unusual: payment.unusual(),
    counters: counters(),
  }))
}
