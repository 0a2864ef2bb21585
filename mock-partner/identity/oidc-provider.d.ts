// The package has no types of its own; what the simulator uses of it.
// The class itself: the entry of the package warns of every runtime that it does not know as LTS.
declare module 'oidc-provider/lib/provider.js' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Interaction {
    readonly uid: string
    readonly prompt: { readonly name: string }
    readonly params: Readonly<Record<string, unknown>>
  }

  interface Client {
    readonly clientId: string
    backchannelLogout(subject: string, sid: string): Promise<void>
  }

  interface Context {
    type: string
    body: string
    readonly oidc: {
      readonly client?: Client
      readonly session?: {
        readonly accountId?: string
        sidFor(clientId: string): string
        destroy(): Promise<void>
      }
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Client: { find(clientId: string): Promise<Client | undefined> }
    readonly Grant: new (about: {
      clientId: string
      accountId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>
    on(event: 'authorization.success', listener: (context: Context) => void): void
    on(event: 'server_error', listener: (context: Context, error: Error) => void): void
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export function createMemoryAdapter(): (kind: string) => object
}
