import type { FastifyInstance } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'
import type { OtpWorld } from '../otp/otp.world.ts'
import { callbackModes } from '../payment/payment.scenarios.ts'
import { type PaymentService, replayOutcomes } from '../payment/payment.service.ts'
import type { PaymentWorld } from '../payment/payment.world.ts'
import type { Clock } from '../platform/clock.ts'
import type { Deliveries } from '../platform/deliveries.ts'
import { type Faults, faultDefaults, faultKinds } from '../platform/faults.ts'
import type { Scheduler } from '../platform/scheduler.ts'
import { renderLabel } from '../shipping/shipping.label.ts'
import type { ShippingWorld } from '../shipping/shipping.world.ts'
import { callbackView, messageView, paymentView } from './control.views.ts'

export interface ControlRoutesOptions {
  clock: Clock
  scheduler: Scheduler
  faults: Faults
  deliveries: Deliveries
  otp: OtpWorld
  payment: PaymentWorld
  payments: PaymentService
  shipping: ShippingWorld
  /** Empties everything. */
  reset: () => void
}

const faultyServices = ['otp', 'payment', 'shipping'] as const

/** 366 days: a slip of the finger beyond this would expire everything for good. */
const longestAdvanceMs = 31_622_400_000
const longestDelayMs = 86_400_000

const ReplayBody = Type.Object(
  {
    outcome: Type.Enum(replayOutcomes),
    callback: Type.Optional(Type.Enum(callbackModes)),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: longestDelayMs })),
  },
  { additionalProperties: false },
)

const FaultBody = Type.Object(
  {
    kind: Type.Enum(faultKinds),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: longestDelayMs })),
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  },
  { additionalProperties: false },
)

const ClockBody = Type.Object(
  { advanceMs: Type.Integer({ minimum: 0, maximum: longestAdvanceMs }) },
  { additionalProperties: false },
)

const LimitText = Type.String({ pattern: '^[1-9]\\d{0,4}$' })

/** A refusal that testers read: `{ error, message }`. */
class ControlError extends Error {
  readonly statusCode: number
  readonly error: string
  constructor(statusCode: number, error: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.error = error
  }
}

const unknownRef = (kind: string, ref: string) =>
  new ControlError(404, 'UNKNOWN_REF', `there is no ${kind} for "${ref}"`)

/** What is wrong, in words, beginning with the name of the field. */
function complaintOf(error: TLocalizedValidationError | undefined): string {
  const field = error?.instancePath.slice(1) || 'body'
  switch (error?.keyword) {
    case 'required':
      return `${error.params.requiredProperties.join(', ')} is required`
    case 'boolean':
      return `${field} is not a known field`
    case 'enum':
      return `${field} must be one of ${error.params.allowedValues.join(', ')}`
    default:
      return `${field} ${error?.message ?? 'is not valid'}`
  }
}

/** Throws a ControlError that names the first field that does not fit. */
function parse<T extends TSchema>(schema: T, value: unknown): Static<T> {
  if (Value.Check(schema, value)) return value
  const [first] = Value.Errors(schema, value)
  throw new ControlError(400, 'INVALID_REQUEST', complaintOf(first))
}

const newestCount = 200

export async function registerControlRoutes(
  app: FastifyInstance,
  options: ControlRoutesOptions,
): Promise<void> {
  const { clock, scheduler, faults, deliveries, otp, payment, payments, shipping, reset } = options

  app.setErrorHandler<Error & { statusCode?: number; error?: string }>((error, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) app.log.error(error)
    return reply.code(status).send({ error: error.error ?? 'INVALID_REQUEST', message: error.message })
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: 'NOT_FOUND', message: `${request.method} ${request.url} does not exist` }),
  )

  const limitOf = (query: unknown): number => {
    const { limit } = query as { limit?: unknown }
    if (limit === undefined) return newestCount
    if (!Value.Check(LimitText, limit))
      throw new ControlError(400, 'INVALID_REQUEST', 'limit must be 1 to 99999')
    return Number(limit)
  }

  const inboxOf = (phone?: string) => otp.inbox(phone).map(messageView)
  const paymentsOf = (limit: number) =>
    payment.list(limit).map((intention) => paymentView(payment, deliveries.listOf(intention.id), intention))
  const counters = () => {
    const { sends, checks } = otp.counters()
    return { sends, checks, ...payment.counters(), callbacks: deliveries.attempts(), ...shipping.counters() }
  }

  app.get('/inbox', async (request) => {
    const { phone } = request.query as { phone?: unknown }
    if (phone !== undefined && typeof phone !== 'string')
      throw new ControlError(400, 'INVALID_REQUEST', 'phone must be given once')
    // An unescaped `+` of a query arrives as a space.
    return { messages: inboxOf(phone?.replace(/^ /, '+')) }
  })

  app.get('/payments', async (request) => ({ payments: paymentsOf(limitOf(request.query)) }))

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

  app.get('/shipments', async (request) => ({
    shipments: shipping.listShipments().slice(0, limitOf(request.query)),
  }))

  app.get<{ Params: { reference: string } }>('/shipments/:reference', async (request) => {
    const { reference } = request.params
    const shipments = shipping.findShipments(reference)
    if (shipments.length === 0) throw unknownRef('shipment', reference)
    return { shipments }
  })

  /** The label of the newest shipment, as the testers' shortcut past the partner's own call. */
  app.get<{ Params: { reference: string } }>('/shipments/:reference/label', async (request, reply) => {
    const { reference } = request.params
    const shipment = shipping.findShipments(reference).at(-1)
    if (shipment === undefined) throw unknownRef('shipment', reference)
    return reply.type('application/pdf').send(await renderLabel(shipment))
  })

  app.get('/faults', async () => ({ faults: faults.list() }))

  app.put<{ Params: { service: string } }>('/faults/:service', async (request) => {
    const { service } = request.params
    if (!faultyServices.some((known) => known === service))
      throw new ControlError(404, 'UNKNOWN_SERVICE', `service must be one of ${faultyServices.join(', ')}`)
    faults.set(service, { ...faultDefaults, ...parse(FaultBody, request.body) })
    return { faults: faults.list() }
  })

  app.delete('/faults', async () => {
    faults.clear()
    return { faults: {} }
  })

  app.post('/clock', async (request) => {
    const { advanceMs } = parse(ClockBody, request.body)
    clock.advance(advanceMs)
    await scheduler.wake()
    return { now: new Date(clock.now()).toISOString() }
  })

  app.get('/counters', async () => counters())

  app.post('/reset', async () => {
    reset()
    return { now: new Date(clock.now()).toISOString() }
  })

  /** Everything the panel shows, in one answer. */
  app.get('/overview', async () => ({
    now: new Date(clock.now()).toISOString(),
    messages: inboxOf().slice(0, 30),
    payments: paymentsOf(30),
    shipments: shipping.listShipments().slice(0, 30),
    faults: faults.list(),
    counters: counters(),
  }))
}
