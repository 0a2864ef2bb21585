import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Faults } from '../platform/faults.ts'
import type { Sandboxes } from '../platform/sandboxes.ts'
import { ControlError, parse, SandboxBody, StateName } from './control.schemas.ts'

export const sandboxHeader = 'x-sandbox'

/** Changes that concern one tester or one order; all others concern every tester. */
const ownChanges = ['/sandboxes', '/faults', '/payments', '/shipments'].map((path) => `/control${path}`)

/** The sandbox of a control call; undefined without the header. @throws ControlError for one that is not open. */
export function sandboxOf({ headers }: FastifyRequest, sandboxes: Sandboxes): string | undefined {
  const name = headers[sandboxHeader]
  if (name === undefined) return undefined
  if (typeof name === 'string' && sandboxes.has(name)) return name
  throw new ControlError(404, 'UNKNOWN_SANDBOX', `there is no sandbox "${name}"`)
}

/** Opens and ends the sandboxes of testers, and keeps a call with the header from changing what all testers share. */
export function registerSandboxControl(
  app: FastifyInstance,
  { sandboxes, faults }: { sandboxes: Sandboxes; faults: Faults },
): void {
  app.addHook('onRequest', async (request) => {
    const isChange = request.method !== 'GET' && request.method !== 'HEAD'
    if (sandboxOf(request, sandboxes) === undefined || !isChange) return
    if (!ownChanges.some((path) => request.url.startsWith(path)))
      throw new ControlError(409, 'SHARED', 'this call concerns every tester: a sandbox cannot make it')
  })

  app.get('/sandboxes', async () => ({ sandboxes: sandboxes.list() }))

  app.put<{ Params: { name: string } }>('/sandboxes/:name', async (request) => {
    const name = parse(StateName, request.params.name)
    const { phonePrefix } = parse(SandboxBody, request.body)
    const other = sandboxes.open({ name, phonePrefix })
    if (other !== undefined)
      throw new ControlError(
        409,
        'SANDBOX_OVERLAPS',
        `phones with ${phonePrefix} would belong to sandbox "${other.name}" (${other.phonePrefix}), too`,
      )
    return { name, phonePrefix }
  })

  app.delete<{ Params: { name: string } }>('/sandboxes/:name', async (request) => {
    const { name } = request.params
    if (!sandboxes.end(name)) throw new ControlError(404, 'UNKNOWN_SANDBOX', `there is no sandbox "${name}"`)
    faults.clear(name)
    return { sandboxes: sandboxes.list() }
  })
}
