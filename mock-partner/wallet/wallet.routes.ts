import type { FastifyInstance } from 'fastify'
import { saveLink } from '#shared/wire/wallet/wallet.wire.ts'
import { walletPage } from './wallet.page.ts'
import { readToken } from './wallet.rules.ts'

/** The page that saves a pass. Only browsers open it, so it has no faults. */
export async function registerWalletRoutes(app: FastifyInstance): Promise<void> {
  app.get<{ Params: { '*': string } }>(`${new URL(saveLink).pathname}*`, async ({ params }, reply) => {
    const read = readToken(params['*'])
    return reply
      .code(typeof read === 'string' ? 400 : 200)
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
      })
      .send(walletPage(read))
  })
}
