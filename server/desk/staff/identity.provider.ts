import type { LanguageCode } from '#shared/platform/language.ts'

/** These values bind the provider's answer to the browser that began the sign-in. */
export interface Challenge {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The staff member must sign in at the provider again. */
  readonly again: boolean
}

export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly sid: string | undefined
  readonly name: string
  readonly roles: readonly string[]
  readonly rolesSeen: string
  readonly authenticatedAgoMs: number | undefined
  /** The gateway sends the ID token to end the session at the provider. */
  readonly idToken: string
}

/** The provider has ended one of its sessions (`sid`), or all sessions of a subject. */
export interface EndedIdentity {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** The id of the log-out token, which is accepted once. */
  readonly tokenId: string
}

/** A call that fails throws an `IdentityProblem`. */
export interface IdentityProvider {
  createChallenge(again: boolean): Challenge
  signInUrl(challenge: Challenge, language: LanguageCode): Promise<string>
  /** @param query the query of the address to which the provider sent the browser back */
  identify(query: string, challenge: Challenge): Promise<Identity>
  /** @returns undefined when the provider has no page that ends its session */
  endSessionUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined>
  readLogoutToken(token: string): Promise<EndedIdentity>
  /** Fetches the discovery document and the keys. @returns the number of keys */
  check(): Promise<number>
}
