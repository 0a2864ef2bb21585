import type { Config } from '#server/platform/config.ts'
import { failure } from '#server/platform/errors.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { channelTexts, sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { PastEvent } from './limits.rules.ts'
import { fieldRefusal } from './otp.rules.ts'

/** The channels on offer for a number, in their order: calls to listed countries alone, against toll fraud. */
export const channelsFor = (
  country: string,
  { OTP_CHANNELS, OTP_CALL_COUNTRIES }: Pick<Config, 'OTP_CHANNELS' | 'OTP_CALL_COUNTRIES'>,
) => OTP_CHANNELS.filter((channel) => channel !== 'call' || OTP_CALL_COUNTRIES.includes(country))

/** The channels that a phone may be sent a code by, after its sends of the last minutes. */
export interface Offer {
  /** The channels that may be chosen in the place of the one that is asked for. */
  readonly others: readonly SendChannel[]
  /** Whether the channel that is asked for may be sent by. */
  readonly isOffered: boolean
  /** A code may be on its way. */
  readonly isSent: boolean
}

/** A call costs the most: it comes this long after a code by another channel at most. */
const callAfterMs = 10 * 60_000

/**
 * Another channel is offered unless it was tried within its own pause: where each refuses the number, that ends; where the
 * service blocks it, at once. Calls are offered after another channel alone, if there is one.
 * @param asked the channel that is asked for
 * @param channels on offer for the number
 * @param events of the phone
 */
export function offerOf(
  asked: SendChannel,
  channels: readonly SendChannel[],
  events: readonly PastEvent[],
  { triedMs, now }: { readonly triedMs: number; readonly now: number },
): Offer {
  const sends = events.filter(({ kind }) => kind === 'send')
  const inPause = sends.filter(({ at }) => at > now - triedMs)
  const isBlocked = inPause.some(({ outcome }) => outcome === 'blocked')
  const isTried = (channel: SendChannel) =>
    inPause.some((send) => send.channel === channel && send.outcome !== 'failed')
  const mayCall =
    channels.every((channel) => channel === 'call') ||
    sends.some(({ channel, at }) => channel !== 'call' && at > now - callAfterMs)
  const isOffered = !isBlocked && channels.includes(asked) && (asked !== 'call' || mayCall)
  const isNext = (channel: SendChannel) =>
    channel !== asked && !isTried(channel) && (channel !== 'call' || mayCall || isOffered)
  return {
    others: isBlocked ? [] : channels.filter(isNext),
    isOffered,
    isSent: inPause.some(({ outcome }) => outcome === 'unanswered' || outcome === 'answered'),
  }
}

/**
 * A channel is not on offer, or refuses the number; others may be chosen. Without any of them and without a code on its way the
 * number gets none.
 */
export const channelRefusal = (channel: SendChannel, { others, isSent }: Pick<Offer, 'others' | 'isSent'>) =>
  others.length === 0 && !isSent
    ? fieldRefusal('phone', 'PHONE_CANNOT_RECEIVE_CODES')
    : failure(sessionsErrors, 'CHANNEL_UNAVAILABLE', {
        values: { channel: channelTexts[channel] },
        channels: others,
      })
