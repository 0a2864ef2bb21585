import { Check } from 'typebox/schema'
import type { Endpoint } from '#shared/platform/operation.ts'
import { answerShapes } from './answer-shape.ts'

/** Whether an answer, or an event of a stream, can be read. The build has compiled checks in place of this file (answer-checks.plugin.ts). */
export function hasShape({ method, path }: Pick<Endpoint, 'method' | 'path'>, answer: unknown): boolean {
  const shape = answerShapes[`${method} ${path}`]
  return shape === undefined || Check(shape, answer)
}
