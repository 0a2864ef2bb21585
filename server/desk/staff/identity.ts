import { reachedAt } from '#server/platform/config.ts'
import type { ServicesCore } from '#server/platform/core.ts'
import { deskCallbackPath } from '#shared/desk/staff/staff.operations.ts'
import { createIdentityProvider } from './identity.provider.http.ts'
import type { IdentityProvider } from './identity.provider.ts'

export function identityOf({ config, clock, externalService }: ServicesCore): IdentityProvider | undefined {
  const { DESK_OIDC_ISSUER: issuer, DESK_OIDC_CLIENT_ID: clientId } = config
  const { DESK_OIDC_CLIENT_SECRET: clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return createIdentityProvider({
    issuer,
    clientId,
    clientSecret,
    clock,
    service: externalService('identity'),
    scope: config.DESK_OIDC_SCOPE,
    roles: {
      claim: config.DESK_ROLES_CLAIM,
      isSeparated: config.DESK_ROLES_SEPARATED,
    },
    callbackUrl: `${config.PUBLIC_URL}${deskCallbackPath}`,
    reach: (url) => reachedAt(config, url),
  })
}
