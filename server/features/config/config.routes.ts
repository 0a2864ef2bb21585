import type { FastifyInstance } from 'fastify'
import type { Core } from '#server/core.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { readConfig } from '#shared/config/config.api.ts'
import { readPublicConfig } from './config.ts'

export function configRoutes(core: Core, app: FastifyInstance, scope: SessionScope): void {
  registerOperation(app, scope, readConfig, ({ reply }) => {
    reply.header('cache-control', 'public, max-age=60')
    return readPublicConfig(core)
  })
}
