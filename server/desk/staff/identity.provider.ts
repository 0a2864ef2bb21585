import type { LanguageCode } from '#shared/platform/language.ts'

/** Binds an answer of the provider to the browser that asked. */
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
  /** Sent to end the provider's session. */
  readonly idToken: string
}

/** Ends the sessions of one session at the provider, or all sessions of a subject. */
export interface EndedIdentity {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** The id of the token, which is accepted once. */
  readonly tokenId: string
}

/** Each call fails with an `IdentityProblem`. */
export interface IdentityProvider {
  createChallenge(again: boolean): Challenge
  signInUrl(challenge: Challenge, language: LanguageCode): Promise<string>
  /** @param query of the address to which the provider sent the browser back */
  identify(query: string, challenge: Challenge): Promise<Identity>
  /** Undefined when the provider cannot end its session by a page. */
  endSessionUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined>
  readLogoutToken(token: string): Promise<EndedIdentity>
}
