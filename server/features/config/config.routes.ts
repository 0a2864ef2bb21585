import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import { readConfig } from '#shared/config/config.api.ts'
import { readPublicConfig } from './config.ts'

export function configRoutes(core: Core, { add }: Routes): void {
  add(readConfig, ({ reply }) => {
    reply.header('cache-control', 'public, max-age=60')
    return readPublicConfig(core)
  })
}
