export interface AuditResult {
  failures: string[]
  notes: string[]
}
export interface Lock {
  packages: Record<string, Record<string, unknown>>
}
export const notReached: string
export function auditDependencies(): Promise<AuditResult>
export function classify(answer: string | undefined, shipped: ReadonlySet<string>): AuditResult
export function shippedPackages(lock: Lock): ReadonlySet<string>
