import { removeStored } from '#client/platform/browser-storage.ts'
import { useTranslation } from '#client/platform/i18n.ts'

/** What a sign-in came back with (`withOutcome` of the server). */
const outcomes = ['cancelled', 'expired', 'away', 'refused', 'no-right', 'other-person'] as const

export interface Outcome {
  kind: (typeof outcomes)[number]
  /** By which the log is found; of a sign-in that could not be verified. */
  requestId?: string
}

/**
 * Takes the outcome of a sign-in out of the address: a reload, and a link that is passed on, do not say it again. What the
 * person before left unsent goes where it was another.
 */
export function takeOutcome(): Outcome | undefined {
  const address = new URL(window.location.href)
  const kind = outcomes.find((each) => each === address.searchParams.get('signIn'))
  const requestId = address.searchParams.get('requestId') ?? ''
  address.searchParams.delete('signIn')
  address.searchParams.delete('requestId')
  window.history.replaceState(window.history.state, '', address)
  // Anyone can write an address: what is shown of it is nothing but an id.
  if (kind === 'other-person') removeStored('deskDrafts')
  return kind && { kind, ...(/^[\w-]{1,64}$/.test(requestId) && { requestId }) }
}

/** An outcome in words; undefined where the sign-in came back signed in and nothing else. */
export function useOutcomeText(outcome: Outcome | undefined): string | undefined {
  const { t } = useTranslation('desk')
  return outcome && t(`outcome.${outcome.kind}`, { requestId: outcome.requestId ?? '' })
}
