export interface Judgement {
  failures: string[]
  notes: string[]
}
export interface Lock {
  packages: Record<string, Record<string, unknown>>
}
export const notReached: string
export function auditDependencies(): Promise<Judgement>
export function judge(answer: string | undefined, shipped: ReadonlySet<string>): Judgement
export function shippedPackages(lock: Lock): ReadonlySet<string>
