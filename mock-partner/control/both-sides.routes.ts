import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { DemoGateway } from '../platform/demo-gateway.ts'
import type { Scheduler } from '../platform/scheduler.ts'
import { ClockBody, ControlError, parse } from './control.schemas.ts'

export interface BothSidesOptions {
  clock: Clock
  scheduler: Scheduler
  /** Undefined: these calls change the simulator alone. */
  gateway: DemoGateway | undefined
  /** Empties everything. */
  reset: () => void
}

/**
 * Calls that change simulator and gateway together: clock and reset. The gateway is first, because only its part can fail:
 * after a failure the simulator is unchanged.
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
    /** The sides that were changed. */
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
}
