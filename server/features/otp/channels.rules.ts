import type { Config } from '#server/platform/config.ts'
import { failure } from '#server/platform/errors.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { channelTexts, sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { PastEvent } from './limits.rules.ts'
import { fieldRefusal } from './otp.rules.ts'

/** Calls go only to the configured countries, against toll fraud. */
export const channelsFor = (
  country: string,
  { OTP_CHANNELS, OTP_CALL_COUNTRIES }: Pick<Config, 'OTP_CHANNELS' | 'OTP_CALL_COUNTRIES'>,
) => OTP_CHANNELS.filter((channel) => channel !== 'call' || OTP_CALL_COUNTRIES.includes(country))

export interface Offer {
  readonly others: readonly SendChannel[]
  readonly isOffered: boolean
  readonly isSent: boolean
}

/** Calls cost the most: a call is offered only this long after a code by another channel. */
const callAfterMs = 10 * 60_000

/** A call is offered only after another channel was tried, if the country has another. */
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

export const channelRefusal = (channel: SendChannel, { others, isSent }: Pick<Offer, 'others' | 'isSent'>) =>
  others.length === 0 && !isSent
    ? fieldRefusal('phone', 'PHONE_CANNOT_RECEIVE_CODES')
    : failure(sessionsErrors, 'CHANNEL_UNAVAILABLE', {
        values: { channel: channelTexts[channel] },
        channels: others,
      })
