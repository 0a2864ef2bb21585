import type { FastifyInstance } from 'fastify'

/**
 * While closing, every answer ends its connection: one that was kept alive by its last request would otherwise hold
 * the process until it times out.
 */
export function registerGracefulClose(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (_, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}
