/** The part of the simulator that belongs to one tester: the phones that begin with its prefix, and their orders. */
export interface Sandbox {
  name: string
  /** The beginning of numbers in E.164. */
  phonePrefix: string
}

/** The sandboxes of testers who work side by side. They are not stored over a restart, as faults are not. */
export function createSandboxes() {
  const byName = new Map<string, Sandbox>()
  const list = (): Sandbox[] => [...byName.values()]

  return {
    /** Opens or changes one. Answers another one, changing nothing, where a phone would belong to both. */
    open(sandbox: Sandbox): Sandbox | undefined {
      const overlapping = list().find(
        ({ name, phonePrefix }) =>
          name !== sandbox.name &&
          (phonePrefix.startsWith(sandbox.phonePrefix) || sandbox.phonePrefix.startsWith(phonePrefix)),
      )
      if (overlapping === undefined) byName.set(sandbox.name, sandbox)
      return overlapping
    },
    has: (name: string) => byName.has(name),
    /** False: there is no such sandbox. */
    end: (name: string) => byName.delete(name),
    clear: () => byName.clear(),
    list,
    isAny: () => byName.size > 0,
    /** Undefined: a phone of no sandbox. */
    nameOf: (phone: string | null): string | undefined =>
      phone === null ? undefined : list().find(({ phonePrefix }) => phone.startsWith(phonePrefix))?.name,
  }
}
export type Sandboxes = ReturnType<typeof createSandboxes>
