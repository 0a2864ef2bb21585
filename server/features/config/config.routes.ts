import type { FastifyInstance } from 'fastify'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { type PublicConfig, readConfig } from '#shared/config/config.operations.ts'

export function configRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  read: () => Promise<Omit<PublicConfig, 'success'>>,
): void {
  registerOperation(app, scope, readConfig, async ({ reply }) => {
    reply.header('cache-control', 'public, max-age=60')
    return read()
  })
}
