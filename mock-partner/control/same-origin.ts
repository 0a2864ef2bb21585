import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ControlError } from './control.schemas.ts'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** A browser names the page that asks; other clients, such as curl, send neither header. */
function isForeign({ headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
}

/** Refuses what changes something when another page than the panel asks for it. */
export function refuseForeignPages(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (!safeMethods.includes(request.method) && isForeign(request))
      throw new ControlError(403, 'FOREIGN_PAGE', 'a page of another origin may not change the simulator')
  })
}
