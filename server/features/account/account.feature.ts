import type { Core } from '#server/core.ts'
import { accountRoutes, type Confirmed } from './account.routes.ts'
import { type AccountNeeds, type AccountService, createAccount } from './account.service.ts'

/** The export and the deletion of an account. */
export function registerAccount(
  core: Core,
  needed: AccountNeeds & { readonly sessions: { confirmed: Confirmed } },
): AccountService {
  const account = createAccount({ ...core, ...needed, callsPerUser: core.config.limits.accountCallsPerUser })
  core.routes.push((app, scope) => accountRoutes(app, scope, account, needed.sessions.confirmed))
  return account
}
