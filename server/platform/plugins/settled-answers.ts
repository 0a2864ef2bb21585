import type { FastifyInstance } from 'fastify'
import type { Settled } from '#server/platform/work.ts'

const decorator = 'settled'

/** What operations read then waits for the disk once, before their answer, in place of at each statement. */
export function registerSettledAnswers(app: FastifyInstance, settled: Settled | undefined): void {
  if (settled) app.decorate(decorator, settled)
}

/** Undefined where each statement waits by itself. */
export const settledOf = (app: FastifyInstance): Settled | undefined =>
  app.hasDecorator(decorator) ? app.getDecorator<Settled>(decorator) : undefined
