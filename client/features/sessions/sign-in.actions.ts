import type { QueryClient } from '@tanstack/react-query'
import { store } from '#client/platform/browser-storage.ts'
import { CallProblem, call, isCallProblem } from '#client/platform/call.ts'
import { textNow } from '#client/platform/i18n.ts'
import { oneTabAtATime } from '#client/platform/one-tab.ts'
import { signedIn } from '#client/session/session.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { ConfirmationSent } from '#shared/sessions/confirmations.schemas.ts'
import { signUpProofMs } from '#shared/sessions/session-lives.ts'
import { requestOtp, sendAgentOtp, verifyAgentOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import type { CodeSent } from '#shared/sessions/sessions.schemas.ts'
import type { Step } from './limits.rules.ts'
import { refusalOf } from './refusal.ts'
import type { Offered, SentCode, SignIn, SignInAction } from './sign-in.rules.ts'

/** The state that the actions read, and the ways in which they change it. */
export interface ActionContext {
  readonly state: () => SignIn
  readonly dispatch: (action: SignInAction) => void
  readonly client: QueryClient
}

/**
 * False when the state has the reason: a limit, a used-up code, or a missing name. Any other failure is thrown as a CallProblem,
 * which the form shows.
 */
type Outcome = boolean

export interface CodeRequest {
  readonly phone: string
  readonly name?: string
  /** Left out: the first channel on offer. */
  readonly channel?: SendChannel | undefined
}

export async function requestCode(context: ActionContext, request: CodeRequest): Promise<Outcome> {
  const { dispatch } = context
  const { role } = context.state()
  const { phone, name = '', channel } = request
  // Codes by e-mail are offered only to confirmations, not to sign-ins.
  const body = { phone, ...(channel && channel !== 'email' && { channel }) }
  dispatch({ type: 'codeRequested', phone, name })
  try {
    // Each response sets the cookie that codes are bound to: two requests at once would invalidate one of the codes.
    const sent = await oneTabAtATime('sign-in-code', () =>
      role === 'user'
        ? call(requestOtp, { body: { ...body, ...(name !== '' && { name }) } })
        : call(sendAgentOtp, { body }),
    )
    dispatch({ type: 'codeSent', code: sentCodeOf(sent, Date.now()) })
    return true
  } catch (error) {
    return failed(context, error, 'send', channel)
  }
}

/** Verifies the code sent to the phone of the last request. In sign-up mode the request includes the name. */
export async function verifyCode(context: ActionContext, code: string): Promise<Outcome> {
  const { role, name, mode } = context.state()
  if (role === 'agent') return verifyAgent(context, code)
  return verifyUser(context, code, mode === 'signup' ? name : '')
}

async function verifyUser(context: ActionContext, code: string, name: string): Promise<Outcome> {
  const { client, dispatch } = context
  const { phone } = context.state()
  dispatch({ type: 'verifyStarted' })
  try {
    const body = name === '' ? { phone, code } : { phone, code, name }
    const { user } = await call(verifyOtp, { body })
    dispatch({ type: 'verified' })
    signedIn(client, { user })
    return true
  } catch (error) {
    if (isCallProblem(error) && error.code === 'SIGN_UP_REQUIRED') {
      dispatch({ type: 'signUpRequired', proof: { code, until: Date.now() + signUpProofMs } })
      return false
    }
    return failed(context, error, 'check')
  }
}

async function verifyAgent(context: ActionContext, code: string): Promise<Outcome> {
  const { client, dispatch } = context
  const { phone } = context.state()
  dispatch({ type: 'verifyStarted' })
  try {
    const { agent, token } = await call(verifyAgentOtp, { body: { phone, code } })
    dispatch({ type: 'verified' })
    signedIn(client, { agent })
    store('agentToken', token)
    return true
  } catch (error) {
    return failed(context, error, 'check')
  }
}

/** Finishes sign-up with the code that was verified before a name was given. */
export async function finishSignUp(context: ActionContext, name: string): Promise<Outcome> {
  const { phone, proof } = context.state()
  if (proof === null) return requestCode(context, { phone, name })
  return verifyUser(context, proof.code, name)
}

/** Error codes whose response lists the remaining channels; the list may be empty. */
const refusesChannels: readonly string[] = ['CHANNEL_UNAVAILABLE', 'PHONE_CANNOT_RECEIVE_CODES']

const fallbacks = { send: 'errors.sendFailed', check: 'errors.verifyFailed' } as const

/** Puts a limit or a used-up code into the state. @throws CallProblem for any other failure, with the text to show */
export function failed(
  { state, dispatch }: Omit<ActionContext, 'client'>,
  error: unknown,
  step: Step,
  channel?: SendChannel,
): Outcome {
  let offered: Offered | undefined
  const { role, phone } = state()
  const now = Date.now()
  if (isCallProblem(error)) {
    const { code, status, retryAfterSeconds, channels } = error
    const until = now + (retryAfterSeconds ?? 0) * 1000
    if (code === 'CODE_USED_UP') {
      dispatch({ type: 'codeUsedUp', resendAt: until })
      return false
    }
    // PHONE_LOCKED has no end time: only the support contact can unlock the number.
    const isLimit = status === 429 && (retryAfterSeconds !== undefined || code === 'PHONE_LOCKED')
    if (isLimit) {
      const limit = {
        role,
        step,
        phone,
        channel,
        code,
        until: retryAfterSeconds === undefined ? null : until,
      }
      dispatch({ type: 'limited', limit, now })
      return false
    }
    if (channels.length > 0 || refusesChannels.includes(code)) offered = { channels, at: until }
  }
  const { field, message } = refusalOf(error, textNow(`sessions:${fallbacks[step]}`))
  dispatch({ type: 'failed', isCodeRefused: field === 'code', offered })
  throw new CallProblem({
    code: isCallProblem(error) ? error.code : 'UNEXPECTED',
    status: isCallProblem(error) ? error.status : 0,
    message,
    fields: field === undefined ? [] : [{ field, message }],
  })
}

export function sentCodeOf(sent: CodeSent | ConfirmationSent, now: number): SentCode {
  return {
    sentAt: now,
    expiresAt: now + sent.expiresInSeconds * 1000,
    resendAt: now + sent.resendInSeconds * 1000,
    isEarlier: !sent.sent,
    isUsedUp: false,
    channel: sent.channel,
    channels: sent.channels,
    nextChannelAt: now + sent.nextChannelInSeconds * 1000,
  }
}
