import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Config, widgetStyles } from '#server/platform/config.ts'
import { failure } from '#server/platform/errors.ts'
import { registerDocuments } from '#server/platform/plugins/documents.ts'
import { registerErrorGate, sendProblem } from '#server/platform/plugins/error-gate.ts'
import { registerPostedPage } from '#server/platform/plugins/posted-pages.ts'
import { registerSecurityHeaders } from '#server/platform/plugins/security-headers.ts'
import { paymentReturn } from '#shared/payments/payment-return.ts'
import { previewCity, previewOf } from '#shared/platform/link-preview.ts'
import { deskPath, pages } from '#shared/platform/pages.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { sendReport } from '#shared/reports/reports.api.ts'

export const isHttps = (config: Config) => config.PUBLIC_URL.startsWith('https:')

/** An app that serves only pages. Operators compare the pages of a running gateway with them. */
export async function createPages(config: Config, clientRoot: string): Promise<FastifyInstance> {
  const app = Fastify() as unknown as FastifyInstance
  registerErrorGate(app)
  registerSecurityHeaders(app, { isHttps: isHttps(config) })
  await app.register(cookie)
  await registerPages(app, config, clientRoot)
  return app
}

export async function registerPages(
  app: FastifyInstance,
  config: Config,
  clientRoot?: string,
): Promise<void> {
  const onMissing = (request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(request, reply, failure(platformErrors, 'NOT_FOUND'))
  if (!clientRoot) {
    app.setNotFoundHandler(onMissing)
    return
  }
  await registerDocuments(app, {
    root: clientRoot,
    pages,
    widgetPath: pages.payment,
    cameraPath: pages.agentScan,
    ...(config.DESK_OIDC_ISSUER !== undefined && { desk: { path: deskPath, entry: 'desk/index.html' } }),
    publicPages: [pages.home, pages.privacyPolicy, pages.terms],
    secretPages: [pages.track, pages.emailStop],
    reportPath: sendReport.path,
    publicUrl: config.PUBLIC_URL,
    preview: (query, language) => previewOf(query[previewCity], language),
    isHttps: isHttps(config),
    widget: {
      script: config.PAYMENT_WIDGET_SCRIPT,
      styles: widgetStyles(config),
      frames: config.PAYMENT_WIDGET_FRAMES,
    },
    onMissing,
  })
  // Some banks send the payer back to the thank-you page by POST.
  await registerPostedPage(app, { path: pages.thankYou, parameters: Object.values(paymentReturn) })
}
