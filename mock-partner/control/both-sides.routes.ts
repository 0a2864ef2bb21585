import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { DemoGateway } from '../platform/demo-gateway.ts'
import type { Scheduler } from '../platform/scheduler.ts'
import { ClockBody, ControlError, parse, StateName } from './control.schemas.ts'

export interface BothSidesOptions {
  clock: Clock
  scheduler: Scheduler
  /** Undefined: these calls change the simulator alone. */
  gateway: DemoGateway | undefined
  /** Empties everything. */
  reset: () => void
  saveState: (name: string) => void
  /** Undefined for an unknown name; else a function that replaces everything by that state. */
  findState: (name: string) => (() => void) | undefined
}

/**
 * Calls that change simulator and gateway together: clock, reset and snapshots. The gateway is first, because only its
 * part can fail: after a failure the simulator is unchanged.
 */
export function registerBothSidesControl(app: FastifyInstance, options: BothSidesOptions): void {
  const { clock, scheduler, gateway } = options

  /** @throws ControlError that says which side did what. */
  async function atGateway(what: string, ask: (gateway: DemoGateway) => Promise<void>): Promise<void> {
    if (gateway === undefined) return
    try {
      await ask(gateway)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new ControlError(
        502,
        'GATEWAY_FAILED',
        `the gateway did not ${what}: ${reason}. The simulator is unchanged; repeat the call when the gateway answers`,
      )
    }
  }

  const answer = () => ({
    now: new Date(clock.now()).toISOString(),
    /** What was changed. */
    sides: gateway === undefined ? ['simulator'] : ['simulator', 'gateway'],
  })

  app.post('/clock', async (request) => {
    const { advanceMs } = parse(ClockBody, request.body)
    await atGateway('move its clock', (each) => each.setClock(clock.aheadMs() + advanceMs))
    clock.advance(advanceMs)
    await scheduler.wake()
    return answer()
  })

  app.post('/reset', async () => {
    await atGateway('empty its database', (each) => each.reset())
    options.reset()
    return answer()
  })

  app.post<{ Params: { name: string } }>('/snapshots/:name', async (request) => {
    const name = parse(StateName, request.params.name)
    await atGateway('take a snapshot', (each) => each.saveSnapshot(name))
    options.saveState(name)
    return { name, ...answer() }
  })

  app.post<{ Params: { name: string } }>('/snapshots/:name/restore', async (request) => {
    const name = parse(StateName, request.params.name)
    const restore = options.findState(name)
    if (restore === undefined)
      throw new ControlError(404, 'UNKNOWN_SNAPSHOT', `there is no snapshot "${name}"`)
    await atGateway('restore its snapshot', (each) => each.restoreSnapshot(name))
    restore()
    return { name, ...answer() }
  })
}
