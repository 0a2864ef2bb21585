import type { LanguageCode } from '#shared/platform/language.ts'

/** Values that bind the identity provider's response to the browser that began the sign-in. */
export interface Challenge {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
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
  readonly idToken: string
}

/** The identity provider has ended one of its sessions (`sid`), or all sessions of a subject. */
export interface EndedIdentity {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** A log-out token is accepted only once. */
  readonly tokenId: string
}

export interface IdentityProvider {
  createChallenge(again: boolean): Challenge
  signInUrl(challenge: Challenge, language: LanguageCode): Promise<string>
  identify(query: string, challenge: Challenge): Promise<Identity>
  /** @returns undefined when the identity provider has no page that ends its session */
  endSessionUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined>
  readLogoutToken(token: string): Promise<EndedIdentity>
  check(): Promise<number>
}
