import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { Outcome } from './otp.rules.ts'

/** A send to a phone, as its event tells. */
export interface PastSend {
  readonly channel: SendChannel
  readonly outcome: Outcome
  readonly at: number
}

/** What a phone may be sent after its sends of the last minutes. */
export interface Offer {
  /** The channels that may be chosen in the place of the one that is asked for. */
  readonly others: readonly SendChannel[]
  /** Whether the channel that is asked for may be sent by. */
  readonly isOffered: boolean
  /** A code may be on its way. */
  readonly isSent: boolean
}

export const offerRules = {
  /** Another channel was tried this long ago at most before a call, which costs the most. */
  callAfterMs: 10 * 60_000,
}

const isSend = ({ outcome }: PastSend) =>
  outcome !== 'refused' && outcome !== 'blocked' && outcome !== 'failed'

/**
 * Another channel is offered unless it was tried within its own pause: where each refuses the number, that ends; where the
 * service blocks it, at once. Calls are offered after another channel alone, if there is one.
 * @param asked the channel that is asked for
 * @param channels on offer for the number
 * @param sends to the phone, of the last `callAfterMs` and of the pause
 */
export function offerOf(
  asked: SendChannel,
  channels: readonly SendChannel[],
  sends: readonly PastSend[],
  { pauseMs, now }: { readonly pauseMs: number; readonly now: number },
): Offer {
  const inPause = sends.filter(({ at }) => at > now - pauseMs)
  const isBlocked = inPause.some(({ outcome }) => outcome === 'blocked')
  const isTried = (channel: SendChannel) =>
    inPause.some((send) => send.channel === channel && send.outcome !== 'failed')
  const mayCall =
    !channels.some((channel) => channel !== 'call') ||
    sends.some(({ channel, at }) => channel !== 'call' && at > now - offerRules.callAfterMs)
  const isOffered = !isBlocked && channels.includes(asked) && (asked !== 'call' || mayCall)
  const isNext = (channel: SendChannel) =>
    channel !== asked && !isTried(channel) && (channel !== 'call' || mayCall || isOffered)
  return { others: isBlocked ? [] : channels.filter(isNext), isOffered, isSent: inPause.some(isSend) }
}
