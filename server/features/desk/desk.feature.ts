import type { Core } from '#server/core.ts'
import type { WorkService } from '#server/features/work/work.service.ts'
import { createSeal } from '#server/platform/seal.ts'
import { deskPath } from '#shared/platform/pages.ts'
import { deskCookies, deskRoutes, staffScope } from './desk.routes.ts'
import { createDesk } from './desk.service.ts'
import { createDeskStore } from './desk.store.ts'
import { deskWebhook } from './desk.webhook.ts'

const sessionsPerBatch = 100
/** Log-out tokens are accepted for five minutes. */
const logoutsKeptMs = 24 * 60 * 60_000

/** Sign-in of staff, and who of them is signed in. Undefined where the desk is not configured: nothing of it is there. */
export function registerDesk(core: Core, { work }: { readonly work: Pick<WorkService, 'free'> }) {
  const { config, database } = core
  const { identity } = core.providers
  const { DESK_OIDC_ISSUER: issuer } = config
  const { DESK_OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL: publicUrl } = config
  if (issuer === undefined || clientSecret === undefined || !identity) return undefined
  const desk = createDesk({
    ...core,
    store: createDeskStore(database),
    identity,
    work,
    issuer,
    roleNames: {
      support: config.DESK_ROLE_SUPPORT,
      money: config.DESK_ROLE_MONEY,
      lead: config.DESK_ROLE_LEAD,
    },
    flows: createSeal(clientSecret, 'sign-in at the desk'),
    idTokens: createSeal(clientSecret, 'ID tokens of the desk'),
    deskUrl: `${publicUrl}${deskPath}`,
  })
  const cookies = deskCookies(publicUrl)
  core.routes.push(async (app, scope) => {
    deskRoutes(app, scope, desk, cookies)
    await deskWebhook(app, scope, desk)
  })
  core.retention.push(
    { event: 'desk.sessions-deleted', batch: () => desk.endIdle(sessionsPerBatch) },
    { event: 'desk.logouts-deleted', table: 'desk_logouts', by: 'at', keepMs: logoutsKeptMs },
  )
  return { ...desk, scope: staffScope(desk, cookies) }
}
