import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ControlError } from './control.schemas.ts'

/**
 * Refuses changes that a page of another site asks for: the panel is open to everything on this machine, and so to every
 * site that its browser shows. Programs send neither header.
 */
export function refuseForeignPages(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    if (isForeign(request))
      throw new ControlError(403, 'FOREIGN_PAGE', 'a page of another site may change nothing here')
  })
}

function isForeign({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return headers.origin !== undefined && URL.parse(headers.origin)?.host !== host
}
