import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiKeyHeader, shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import { agents, citiesOf, offices } from './shipping.directory.ts'
import type { Journeys } from './shipping.journey.ts'
import { createLabelCache, type LabelRenderer } from './shipping.label.ts'
import { handleErrors, problem, validationProblem } from './shipping.problems.ts'
import { checkCreateRequest, type FieldErrors } from './shipping.rules.ts'
import { type ShippingScenario, scenariosIn } from './shipping.scenarios.ts'
import { createShippingControl, type ShippingControl, shaped } from './shipping.settings.ts'
import type { ShippingState } from './shipping.state.ts'
import { createShipmentAnswers } from './shipping.wire.ts'

interface ShippingRoutesOptions {
  readonly state: ShippingState
  readonly journeys: Journeys
  /** By default the partner behaves as documented. */
  readonly control?: ShippingControl
  /** The one key that is accepted. */
  readonly apiKey: string
  /** Makes the PDF of a piece. By default labels are drawn and the last ones cached. */
  readonly label?: LabelRenderer
}

/** The shipping partner's API. Register it below the prefix that is the gateway's base URL. */
export async function registerShippingRoutes(
  app: FastifyInstance,
  {
    state,
    journeys,
    control = createShippingControl(),
    apiKey,
    label = createLabelCache(),
  }: ShippingRoutesOptions,
): Promise<void> {
  handleErrors(app)
  app.setNotFoundHandler((request, reply) => reply.code(404).send(problem(request, 404)))

  /** For testers, not part of the partner's API: no key is required and nothing is counted. */
  app.get<{ Params: { awb: string } }>('/labels/:awb(^\\d{12}).pdf', async (request, reply) => {
    const { awb } = request.params
    const shipment = state.findByNumber(awb)
    const pieceIndex = shipment?.awbs.indexOf(awb) ?? -1
    if (!shipment || pieceIndex < 0) return reply.code(404).send(problem(request, 404))
    return reply.type('application/pdf').send(await label(shipment, pieceIndex))
  })

  await app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      if (request.headers[apiKeyHeader] !== apiKey) return reply.code(401).send(problem(request, 401))
    })
    const context = { state, control, answers: createShipmentAnswers({ state, journeys, control, label }) }
    registerCreation(api, context)
    registerLookups(api, context)
    registerLists(api, context)
  })
}

interface RouteContext {
  readonly state: ShippingState
  readonly control: ShippingControl
  readonly answers: ReturnType<typeof createShipmentAnswers>
}

function registerCreation(api: FastifyInstance, { state, answers }: RouteContext): void {
  const create = { config: { operation: 'create-shipment' } }
  api.post(shippingPaths.createB2c, create, async (request, reply) => {
    const checked = checkCreateRequest(request.body)
    if (!checked.isValid) return reply.code(400).send(validationProblem(request, checked.errors))
    const scenarios = answers.scenariosOf(checked.request)

    const provoked = (table: ScenarioAnswers) => table.find(([scenario]) => scenarios.has(scenario))?.[1]
    const refused = provoked(withoutShipment)
    if (refused) return refused(request, reply)
    const shipment = state.createShipment(checked.request, answers.lagOf(scenarios))
    const answered = provoked(withShipment)
    if (answered) return answered(request, reply)
    if (scenarios.has('created-201')) reply.code(201)
    return reply.send(await answers.answerOf(shipment, { isFirst: true }))
  })
}

type ScenarioAnswers = readonly (readonly [
  ShippingScenario,
  (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
])[]

const withoutShipment: ScenarioAnswers = [
  ['refused', (request, reply) => reply.code(400).send(validationProblem(request, cityRefused))],
  ['refused-in-words', (_, reply) => reply.code(400).type('text/plain').send('Bad Request')],
  ['failed', (request, reply) => reply.code(500).send(problem(request, 500))],
  ['error-in-200', (request, reply) => reply.send(validationProblem(request, cityRefused))],
]

/** The shipment is made, and the answer does not say so. */
const withShipment: ScenarioAnswers = [
  ['created-but-500', (request, reply) => reply.code(500).send(problem(request, 500))],
  [
    'created-but-502',
    (_, reply) => reply.code(502).type('text/html').send('<html><h1>502 Bad Gateway</h1></html>'),
  ],
  ['text-in-200', (_, reply) => reply.type('text/plain').send('Shipment created successfully')],
]

function registerLookups(api: FastifyInstance, { state, control, answers }: RouteContext): void {
  const read = { config: { operation: 'read-shipment' } }
  api.get<{ Params: { awb: string } }>(shippingPaths.queryB2c, read, async (request, reply) => {
    state.countLookup()
    const shipment = answers.findIndexed(request.params.awb)
    if (!shipment) return reply.code(404).send(problem(request, 404))
    return reply.send(await answers.answerOf(shipment, { isFirst: false }))
  })

  const find = { config: { operation: 'find-shipment' } }
  api.get<{ Params: { reference: string } }>(shippingPaths.trackReference, find, async (request, reply) => {
    state.countLookup()
    const { reference } = request.params
    const known = state
      .findShipments(reference)
      .filter((shipment) => shipment.reference === reference && answers.isIndexed(shipment))
    const [first] = known
    if (first)
      return reply.send(
        answers.scenariosOf(first.request).has('bare-record')
          ? answers.trackingOf(first)
          : known.map(answers.trackingOf),
      )
    const scenarios = new Set([...scenariosIn(reference), ...control.read().scenarios])
    if (scenarios.has('unknown-is-empty')) return reply.send([])
    if (scenarios.has('unknown-is-bodiless')) return reply.code(404).send()
    return reply.code(404).send(problem(request, 404))
  })
}

function registerLists(api: FastifyInstance, { control }: RouteContext): void {
  api.get(shippingPaths.offices, { config: { operation: 'list-offices' } }, async (_request, reply) =>
    reply.send(shaped(offices, control.read().offices)),
  )

  api.get<{ Params: { country: string } }>(
    shippingPaths.cities,
    { config: { operation: 'list-cities' } },
    async (request, reply) =>
      reply.send(shaped(citiesOf(request.params.country.toUpperCase()), control.read().cities)),
  )

  api.get(shippingPaths.agents, { config: { operation: 'list-agents' } }, async (_request, reply) =>
    reply.send(shaped(agents, control.read().agents)),
  )
}

const cityRefused: FieldErrors = { 'ConsigneeAddress.City': ['City is not in the list of served cities.'] }
