import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { sessionCookiesFor } from '#server/features/sessions/sessions.rules.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { registerApiDocs } from '#server/platform/plugins/api-docs.ts'
import { registerCompression } from '#server/platform/plugins/compression.ts'
import { registerConnectionLimits, serverOptions } from '#server/platform/plugins/connection-limits.ts'
import { answerFailure, registerErrorGate } from '#server/platform/plugins/error-gate.ts'
import {
  registerGracefulClose,
  type Stopping,
  stoppingDecorator,
} from '#server/platform/plugins/graceful-close.ts'
import { healthPaths } from '#server/platform/plugins/health.ts'
import { registerJsonBodies } from '#server/platform/plugins/json-bodies.ts'
import { registerKnownHosts } from '#server/platform/plugins/known-hosts.ts'
import { registerLoadShedding } from '#server/platform/plugins/load-shedding.ts'
import { RequestLog } from '#server/platform/plugins/request-log.ts'
import { createRequestIds } from '#server/platform/plugins/request-trace.ts'
import { registerSameOrigin } from '#server/platform/plugins/same-origin.ts'
import { registerSecurityHeaders } from '#server/platform/plugins/security-headers.ts'
import { registerUnambiguousRequests } from '#server/platform/plugins/unambiguous-requests.ts'
import { answerUnreadable } from '#server/platform/plugins/unreadable-requests.ts'
import { registerUntrustedProxyWarning } from '#server/platform/plugins/untrusted-proxies.ts'
import { registerSchemaCompilers } from '#server/platform/schema-compilers.ts'
import { demoPath } from '#shared/demo/demo.api.ts'
import { endDeskSessions } from '#shared/desk/staff/staff.api.ts'
import { receiveMessageStatus } from '#shared/messages/messages.api.ts'
import { receiveCallback } from '#shared/payments/payments.api.ts'
import { cookieName } from '#shared/platform/cookie-name.ts'
import { pages } from '#shared/platform/pages.ts'
import { sendReport } from '#shared/reports/reports.api.ts'
import { receiveScans } from '#shared/tracking/tracking.api.ts'
import { isHttps } from './pages.ts'

export function createApp(config: Config, logger: Logger): FastifyInstance {
  const { TRUSTED_PROXIES: proxies = [] } = config
  return Fastify({
    loggerInstance: logger,
    logController: new RequestLog(logger),
    // The limit of a request body to an address without an operation. `registerOperation` sets the limit of an
    // operation.
    bodyLimit: 8 * 1024,
    ...serverOptions(config.limits),
    // `trustProxy` must not be `true` or a number of hops: any client could then choose its own address.
    trustProxy: proxies.length > 0 ? [...proxies] : false,
    // `createRequestIds` checks `x-request-id`, which Fastify would use unchecked.
    requestIdHeader: false,
    genReqId: createRequestIds(proxies),
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => void answerFailure(error, request, reply),
    clientErrorHandler: answerUnreadable,
    routerOptions: { ignoreTrailingSlash: false },
  }) as unknown as FastifyInstance
}

export async function registerPlugins(
  app: FastifyInstance,
  {
    config,
    database,
    version,
  }: { readonly config: Config; readonly database: Database; readonly version: string },
  metrics: Metrics,
): Promise<Stopping> {
  registerSchemaCompilers(app)
  registerJsonBodies(app)
  registerErrorGate(app)
  registerSecurityHeaders(app, { isHttps: isHttps(config) })
  registerUnambiguousRequests(app)
  if (config.MODE === 'demo') registerKnownHosts(app, [config.PUBLIC_URL, config.CALLBACK_URL])
  registerUntrustedProxyWarning(app, config.TRUSTED_PROXIES ?? [])
  registerConnectionLimits(app, { ...config.limits, metrics })
  await app.register(cookie)
  await registerCompression(app)
  const stopping = registerGracefulClose(app)
  app.decorate(stoppingDecorator, stopping)
  registerLoadShedding(app, {
    always: [...Object.values(healthPaths), '/metrics'],
    maxEventLoopDelayMs: config.limits.maxEventLoopDelayMs,
    maxRequests: config.limits.maxRequests,
    maxDatabaseWaitMs: config.limits.maxDatabaseWaitMs,
    readWaitMs: () => database.connections().waitMs,
    metrics,
  })
  registerSameOrigin(app, {
    publicUrl: config.PUBLIC_URL,
    exempt: [
      ...[receiveCallback, receiveScans, receiveMessageStatus, sendReport].map(({ path }) => path),
      // desk
      endDeskSessions.path,
      // desk
      // A POST to the thank-you page only redirects, and changes nothing.
      pages.thankYou,
      demoPath,
    ],
  })
  await registerApiDocs(app, {
    version,
    sessionCookie: sessionCookiesFor(config.PUBLIC_URL).session,
    deskCookie: cookieName(config.PUBLIC_URL, 'desk'),
    isServed: config.MODE === 'demo',
  })
  return stopping
}
