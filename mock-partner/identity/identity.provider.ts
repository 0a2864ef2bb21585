import { createPrivateKey, randomBytes } from 'node:crypto'
import type { Provider } from 'oidc-provider/lib/provider.js'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { failurePage, signedOutPage, signingOutPage } from './identity.page.ts'
import { findPerson } from './identity.people.ts'

export interface IdentityOptions {
  /** As browsers open it. */
  readonly issuer: string
  /** The desk, as browsers open it. */
  readonly deskUrl: string
  /** The gateway, as this simulator reaches it. */
  readonly gatewayUrl: string
  /** The desk's account at the provider. */
  readonly account: { readonly clientId: string; readonly clientSecret: string }
  readonly send: typeof fetch
}

export interface RunningIdentity {
  readonly provider: Provider
  /** Ends every session here, and the desk's: a log-out token for each. */
  endSessions(): Promise<void>
}

/** The key of a demo: that of the wallet, which is public as well. */
const signingKey = () => ({
  ...createPrivateKey({
    key: Buffer.from(demoAccounts.wallet.privateKey, 'base64'),
    format: 'der',
    type: 'pkcs8',
  }).export({ format: 'jwk' }),
  kid: 'demo',
  use: 'sig',
  alg: 'RS256',
})

const minutes = (count: number) => () => count * 60
const hours = (count: number) => () => count * 3_600

/** The certified library, set up as a company sets up its provider. Loaded when it is first asked. */
export async function startIdentity(options: IdentityOptions): Promise<RunningIdentity> {
  const { Provider: OidcProvider } = await import('oidc-provider/lib/provider.js')
  const { createMemoryAdapter } = await import('oidc-provider/lib/adapters/memory_adapter.js')
  const { issuer, deskUrl, gatewayUrl, account, send } = options
  const { clientId } = account
  const { port, pathname } = new URL(issuer)
  /** The sessions that the desk is in, by the name that it knows. */
  const sessions = new Map<string, { readonly owner: string; destroy(): Promise<void> }>()

  const provider: Provider = new OidcProvider(issuer, {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        client_secret: account.clientSecret,
        redirect_uris: [`${deskUrl}/desk/callback`],
        post_logout_redirect_uris: [`${deskUrl}/desk`],
        backchannel_logout_uri: `${gatewayUrl}/api/desk/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [signingKey()] },
    // Ports of a machine share cookies.
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      names: Object.fromEntries(
        ['session', 'interaction', 'resume'].map((name) => [name, `identity_${name}_${port}`]),
      ),
    },
    ttl: {
      AccessToken: minutes(5),
      AuthorizationCode: minutes(1),
      Grant: hours(12),
      IdToken: minutes(5),
      Interaction: minutes(30),
      Session: hours(12),
    },
    scopes: ['openid'],
    claims: { openid: ['sub'], profile: ['name', 'roles'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { type: string; body: string }, form: string) => {
          context.body = signingOutPage(form)
        },
        postLogoutSuccessSource: (context: { type: string; body: string }) => {
          context.body = signedOutPage()
        },
      },
    },
    interactions: {
      url: (_context: unknown, { uid }: { uid: string }) => `${pathname}/interaction/${uid}`,
    },
    findAccount: (_context: unknown, id: string) => {
      const person = findPerson(id)
      return (
        person && {
          accountId: id,
          claims: () => ({ sub: id, name: person.name, roles: [...person.roles] }),
        }
      )
    },
    // No page of consent: the desk is the company's own.
    loadExistingGrant: async (context: {
      oidc: { client: { clientId: string }; session: { accountId: string }; provider: Provider }
    }) => {
      const grant = new provider.Grant({
        clientId: context.oidc.client.clientId,
        accountId: context.oidc.session.accountId,
      })
      grant.addOIDCScope('openid profile')
      await grant.save()
      return grant
    },
    renderError: (context: { type: string; body: string }, { error }: { error: string }) => {
      context.type = 'html'
      context.body = failurePage(error)
    },
    // The library's own dispatcher refuses the addresses of this machine.
    fetch: (url: string, { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown }) =>
      send(url, init),
  })
  provider.on('authorization.success', ({ oidc: { client, session } }) => {
    if (client !== undefined && session?.accountId !== undefined)
      sessions.set(session.sidFor(client.clientId), {
        owner: session.accountId,
        destroy: () => session.destroy(),
      })
  })

  return {
    provider,
    async endSessions() {
      const client = await provider.Client.find(clientId)
      for (const [sid, { owner, destroy }] of sessions) {
        sessions.delete(sid)
        await destroy()
        await client?.backchannelLogout(owner, sid)
      }
    },
  }
}
