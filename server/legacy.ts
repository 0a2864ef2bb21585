import type { Core } from './core.ts'

/** A service's method in the form that it will have as a function. */
export function legacyCall<Service extends object, Name extends keyof Service>(service: string, name: Name) {
  type Call = Extract<Service[Name], (...given: never[]) => unknown>
  return (core: Core, ...given: Parameters<Call>): ReturnType<Call> => {
    const known = core.legacy[service] as Service | undefined
    if (known === undefined) throw new Error(`${service} is not registered in this core`)
    return (known[name] as (...args: Parameters<Call>) => ReturnType<Call>).apply(known, given)
  }
}

type Bound<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (core: Core, ...given: infer Given) => infer Result
    ? (...given: Given) => Result
    : never
}

/** Functions of a rebuilt feature as a service, for features that are not functions yet. */
export const bindTo = <Calls extends object>(core: Core, calls: Calls): Bound<Calls> =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, (...given: unknown[]) => call(core, ...given)]),
  ) as Bound<Calls>
