import { Value } from 'typebox/value'
import { errorCodesOf } from '#server/platform/operation-errors.ts'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { Problem } from '#shared/platform/problem.ts'

const routes = Object.entries<OperationShape>(operations).map(([name, operation]) => ({
  name,
  operation,
  method: operation.method,
  // A longer parameter than the router takes is an address without an operation.
  path: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]{1,100}')}$`),
  codes: new Set<string>(errorCodesOf(operation)),
}))

/**
 * Throws when an answer is a failure with a code that its operation does not list. Other addresses are not checked.
 * @param registered the operations of the gateway that has answered
 */
export function expectListedCode(
  method: string,
  url: string,
  answer: unknown,
  registered: readonly OperationShape[] = Object.values(operations),
): void {
  if (!Value.Check(Problem, answer)) return
  const path = url.split('?')[0] ?? ''
  const matching = routes.filter(
    (route) => route.method === method && route.path.test(path) && registered.includes(route.operation),
  )
  if (matching.length === 0 || matching.some(({ codes }) => codes.has(answer.code))) return
  const names = matching.map(({ name }) => name).join(' and ')
  throw new Error(`${method} ${path} answered ${answer.code}, which ${names} does not list`)
}
