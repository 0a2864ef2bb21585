import type { Core } from '#server/core.ts'

type Bound<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (core: Core, ...given: infer Given) => infer Result
    ? (...given: Given) => Result
    : never
}

/** Functions with the core as their first parameter as methods of one object. */
export const bindTo = <Calls extends object>(core: Core, calls: Calls): Bound<Calls> =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, (...given: unknown[]) => call(core, ...given)]),
  ) as Bound<Calls>
