import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { serveAssets } from '../platform/assets.ts'
import { testCardDetails, testCards } from './payment.scenarios.ts'
import type { PaymentService } from './payment.service.ts'
import type { PaymentState } from './payment.state.ts'

interface WidgetRoutesOptions {
  state: PaymentState
  service: PaymentService
  publicKey: string
}

const PayBody = Type.Object({
  publicKey: Type.String(),
  clientSecret: Type.String(),
  number: Type.String({ pattern: '^\\d{12,19}$' }),
  expiry: Type.String({ pattern: '^(0[1-9]|1[0-2])/\\d\\d$' }),
  challenge: Type.Optional(Type.Enum(['passed', 'failed'])),
})

const folder = new URL('./widget/', import.meta.url)

/** A page of another origin may load these as module script and stylesheet, also under a cross-origin isolation policy. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Pages of any origin may frame the form; it loads only from its own origin. */
const cardPagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The provider's CDN and its card page: what a browser loads to pay. */
export async function registerWidgetRoutes(
  app: FastifyInstance,
  options: WidgetRoutesOptions,
): Promise<void> {
  const { state, service, publicKey } = options

  serveAssets(app, { folder, files: ['main.js', 'main.css', 'styles.css'], headers: crossOrigin })
  serveAssets(app, {
    folder,
    files: ['card.html', 'card.js', 'card.css'],
    headers: { 'content-security-policy': cardPagePolicy, 'cross-origin-resource-policy': 'cross-origin' },
  })

  app.get('/cards', async () => ({
    ...testCardDetails,
    cards: testCards.map(({ number, label }) => ({ number, label })),
  }))

  app.post('/pay', { config: { operation: 'pay' } }, async (request, reply) => {
    const { body } = request
    if (!Value.Check(PayBody, body)) return reply.code(400).send({ error: 'invalid-card' })
    const intention = state.findByClientSecret(body.clientSecret)
    if (body.publicKey !== publicKey || intention === undefined)
      return reply.code(404).send({ error: 'unknown-intention' })
    const answer = await service.pay(intention, body, body.challenge)
    return answer.kind === 'not-payable' ? reply.code(409).send({ error: answer.status }) : answer
  })
}
