import { removeStored } from '#client/platform/browser-storage.ts'
import { useTranslation } from '#client/platform/i18n.ts'

/** Outcomes of a sign-in; the server adds one to the address (`withOutcome`). */
const outcomes = ['cancelled', 'expired', 'away', 'refused', 'no-right', 'other-person'] as const

export interface Outcome {
  kind: (typeof outcomes)[number]
  /** The id of the server's log lines; only for a sign-in that could not be verified. */
  requestId?: string
}

/**
 * Removes the outcome of a sign-in from the address, so that a reload or a copied link does not show it again. When another
 * operator has signed in, the drafts of the previous operator are removed.
 */
export function takeOutcome(): Outcome | undefined {
  const address = new URL(window.location.href)
  const kind = outcomes.find((each) => each === address.searchParams.get('signIn'))
  const requestId = address.searchParams.get('requestId') ?? ''
  address.searchParams.delete('signIn')
  address.searchParams.delete('requestId')
  window.history.replaceState(window.history.state, '', address)
  // Anyone can write an address, so only a well-formed id is taken from it.
  if (kind === 'other-person') removeStored('deskDrafts')
  return kind && { kind, ...(/^[\w-]{1,64}$/.test(requestId) && { requestId }) }
}

/** Text of an outcome; `undefined` when the sign-in succeeded. */
export function useOutcomeText(outcome: Outcome | undefined): string | undefined {
  const { t } = useTranslation('desk')
  return outcome && t(`outcome.${outcome.kind}`, { requestId: outcome.requestId ?? '' })
}
