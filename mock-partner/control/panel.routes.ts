import { readdirSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { serveAssets } from '../platform/assets.ts'

const folder = new URL('./panel/', import.meta.url)

/** The page shows texts that users typed: none of them may run as script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The templates of the page, below the path at which `panel/lit.js` finds them. */
const libraryPath = '/node_modules/lit-html/'
const libraryFiles = ['lit-html.js', 'directive.js', 'directive-helpers.js', 'directives/repeat.js']

/** The testers' page at `/`. */
export async function registerPanelRoutes(app: FastifyInstance): Promise<void> {
  serveAssets(app, {
    folder,
    files: readdirSync(folder),
    headers: { 'content-security-policy': policy },
    index: 'panel.html',
  })
  await app.register(
    async (scope) =>
      serveAssets(scope, { folder: new URL(`../..${libraryPath}`, import.meta.url), files: libraryFiles }),
    { prefix: libraryPath.replace(/\/$/, '') },
  )
}
