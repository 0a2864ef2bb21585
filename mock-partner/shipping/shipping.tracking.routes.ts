import type { FastifyInstance } from 'fastify'
import { Check } from 'typebox/value'
import { apiKeyHeader } from '#shared/wire/shipping/shipping.wire.ts'
import { BulkRequest, trackingPaths } from '#shared/wire/tracking/tracking.wire.ts'
import { handleErrors, problem, validationProblem } from './shipping.problems.ts'
import type { TrackingCounts } from './shipping.state.ts'
import { statuses } from './shipping.statuses.ts'
import type { createShipmentAnswers } from './shipping.wire.ts'

interface TrackingRoutesOptions {
  readonly answers: ReturnType<typeof createShipmentAnswers>
  readonly apiKey: string
  readonly counts: TrackingCounts
}

/** The courier's tracking. Its faults are those of the service `tracking`, not of `shipping`. */
export async function registerTrackingRoutes(
  app: FastifyInstance,
  { answers, apiKey, counts }: TrackingRoutesOptions,
): Promise<void> {
  handleErrors(app)
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers[apiKeyHeader] !== apiKey) return reply.code(401).send(problem(request, 401))
  })

  const single = { config: { operation: 'track-one' } }
  app.get<{ Params: { awb: string } }>(trackingPaths.single, single, async (request, reply) => {
    counts.single += 1
    const shipment = answers.findIndexed(request.params.awb)
    if (!shipment) return reply.code(404).send(problem(request, 404))
    return reply.send(answers.trackingOf(shipment))
  })

  /** Unknown numbers are left out of the answer. */
  app.post(trackingPaths.bulk, { config: { operation: 'track-many' } }, async (request, reply) => {
    if (!Check(BulkRequest, request.body))
      return reply
        .code(400)
        .send(validationProblem(request, { $: ['The JSON value could not be converted to a list of AWBs.'] }))
    counts.bulk += 1
    counts.numbers += request.body.length
    const found = request.body.flatMap((awb) => answers.findIndexed(awb) ?? [])
    return reply.send(found.map(answers.trackingOf))
  })

  app.get(trackingPaths.statuses, { config: { operation: 'list-statuses' } }, async (_request, reply) => {
    counts.statuses += 1
    return reply.send(statuses)
  })
}
