import type { LanguageCode } from '#shared/platform/language.ts'

/** Secrets that bind an answer of the provider to the browser that asked. */
export interface Challenge {
  readonly state: string
  readonly nonce: string
  /** For PKCE. */
  readonly verifier: string
  /** True when the staff member must sign in at the provider again, although the provider knows them. */
  readonly again: boolean
}

/** A staff member, as the provider has just confirmed. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** The provider's session, by which it ends ours; undefined when it names no session. */
  readonly sid: string | undefined
  readonly name: string
  /** Values of the claim with roles. */
  readonly roles: readonly string[]
  /** For the log, when no role fits: the claim with roles and its values. */
  readonly rolesSeen: string
  /** Time since the staff member signed in at the provider; undefined when it does not say it. */
  readonly authenticatedAgoMs: number | undefined
  /** Sent when the provider's session is ended, too. */
  readonly idToken: string
}

/** A log-out token: it ends the sessions of one session at the provider, or all sessions of a subject. */
export interface EndedIdentity {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** The id of the token, which is accepted once. */
  readonly tokenId: string
}

/** The company's identity provider. Each call fails with an `IdentityProblem`. */
export interface IdentityProvider {
  createChallenge(again: boolean): Challenge
  /** The page on which staff sign in. */
  signInUrl(challenge: Challenge, language: LanguageCode): Promise<string>
  /** @param query of the address to which the provider sent the browser back */
  identify(query: string, challenge: Challenge): Promise<Identity>
  /** The page that ends the provider's session; undefined when the provider has no such page. */
  endSessionUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined>
  readLogoutToken(token: string): Promise<EndedIdentity>
}
