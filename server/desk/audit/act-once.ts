import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { type ActRow, beginAct, findAct, finishAct } from './audit.queries.ts'

interface StaffAct<T extends object> {
  /** Runs before the transaction. A repeated request skips it. */
  readonly before?: () => Promise<void>
  /**
   * Runs inside the transaction; its result is stored as JSON. `after` runs after the commit. A repeated request skips
   * both.
   */
  readonly perform: () => Promise<T & { readonly after?: () => void }>
}

/**
 * Carries out an act of staff and stores its idempotency key, in one transaction. A repeated request gets the stored
 * result.
 * @throws Failure IDEMPOTENCY_CONFLICT, and the errors of `before` and `perform`
 */
export async function actOnce<T extends object>(
  core: Core,
  { issuer, subject }: Pick<Staff, 'issuer' | 'subject'>,
  { key, body }: StaffRequest,
  { before, perform }: StaffAct<T>,
): Promise<T> {
  const act = {
    issuer,
    subject,
    key,
    body_hash: hashOf(JSON.stringify(body)),
    at: core.clock.now(),
  }
  const earlier = await findAct(core, act)
  if (earlier) return storedResult(earlier, act.body_hash)
  await before?.()
  const result = await core.database.transaction(async (): Promise<T & { readonly after?: () => void }> => {
    if (!(await beginAct(core, act))) return storedResult(await findAct(core, act), act.body_hash)
    const performed = await perform()
    await finishAct(core, act, JSON.stringify(performed))
    return performed
  })
  result.after?.()
  return result
}

function storedResult<T>(earlier: ActRow | undefined, bodyHash: string): T {
  if (earlier?.body_hash !== bodyHash) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
  return JSON.parse(earlier.answer) as T
}
