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

/** The testers' page at `/`. */
export async function registerPanelRoutes(app: FastifyInstance): Promise<void> {
  serveAssets(app, {
    folder,
    files: ['panel.html', 'panel.js', 'panel.css'],
    headers: { 'content-security-policy': policy },
    index: 'panel.html',
  })
}
