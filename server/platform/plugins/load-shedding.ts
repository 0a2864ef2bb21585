import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { failure } from '#server/platform/errors.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

/** Beyond this the queue only grows: people wait longer for an answer than they wait at a page. */
const maxEventLoopDelayMs = 1_000
const retryAfterSeconds = 3

/**
 * Refuses work early while the process cannot keep up, so that what it has accepted is finished. `always` holds
 * paths that answer all the same: whoever watches the process must see it.
 */
export async function registerLoadShedding(
  app: FastifyInstance,
  options: { always: readonly string[] },
): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: 500,
    pressureHandler: (request) => {
      if (options.always.includes(request.url.split('?')[0] ?? '')) return
      throw failure(platformErrors, 'OVERLOADED', { retryAfterSeconds })
    },
  })
}
