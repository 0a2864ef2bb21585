import type { LanguageCode } from '#shared/platform/language.ts'

/** What ties an answer of the provider to the browser that asked. */
export interface Challenge {
  readonly state: string
  readonly nonce: string
  /** PKCE. */
  readonly verifier: string
  /** The person has to prove anew who they are, although the provider knows them. */
  readonly again: boolean
}

/** A person, as the provider has just confirmed. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** The provider's session, by which it ends ours; undefined where it names none. */
  readonly sid: string | undefined
  readonly name: string
  /** Values of the claim with roles. */
  readonly roles: readonly string[]
  /** For the log, when no role fits: the claim with roles and what came in it. */
  readonly rolesSeen: string
  /** Time since the person proved who they are; undefined when the provider does not say it. */
  readonly authenticatedAgoMs: number | undefined
  /** Named when the provider's session is ended, too. */
  readonly idToken: string
}

/** Whose sessions end: those of a provider's session, or all of a person. */
export interface EndedIdentity {
  readonly issuer: string
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** Of the token, which counts once. */
  readonly tokenId: string
}

/** The company's identity provider. Each call fails with an `IdentityProblem`. */
export interface IdentityProvider {
  createChallenge(again: boolean): Challenge
  /** The page on which the person signs in. */
  signInUrl(challenge: Challenge, language: LanguageCode): Promise<string>
  /** Who signed in. @param query of the address to which the provider sent the browser back */
  identify(query: string, challenge: Challenge): Promise<Identity>
  /** The page that ends the provider's session; undefined where there is none. */
  endSessionUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined>
  readLogoutToken(token: string): Promise<EndedIdentity>
}
