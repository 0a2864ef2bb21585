import type { QueryClient } from '@tanstack/react-query'
import type { Dispatch, SetStateAction } from 'react'
import { store } from '#client/platform/browser-storage.ts'
import { call, isCallProblem } from '#client/platform/call.ts'
import { i18n } from '#client/platform/i18n.ts'
import { oneTabAtATime } from '#client/platform/one-tab.ts'
import type { Role } from '#client/session/session.rules.ts'
import { renamed, signedIn } from '#client/session/session.ts'
import {
  requestOtp,
  sendAgentOtp,
  updateUser,
  verifyAgentOtp,
  verifyOtp,
} from '#shared/sessions/sessions.operations.ts'
import type { CodeSent } from '#shared/sessions/sessions.schemas.ts'
import { type Outcome, refusalOf } from './call-outcome.ts'
import { type Limit, type Step, withLimit, withoutLimit } from './limits.rules.ts'
import { markPendingCodeUsedUp, storePendingCode } from './pending-code.ts'
import { storeProvenCode } from './proven-code.ts'
import type { CodeTimes, SessionsAction, SessionsState } from './sessions.rules.ts'

/** What the actions read and change. */
export interface ActionContext {
  readonly state: () => SessionsState
  readonly dispatch: Dispatch<SessionsAction>
  readonly setLimits: Dispatch<SetStateAction<readonly Limit[]>>
  readonly client: QueryClient
}

interface CodeRequest {
  readonly role: Role
  readonly phone: string
  readonly name?: string
}

export async function requestCode(context: ActionContext, request: CodeRequest): Promise<Outcome> {
  const { dispatch, setLimits } = context
  const { role, phone, name = '' } = request
  dispatch({ type: 'codeRequested', phone, name })
  try {
    // Each response sets the cookie that codes are bound to: two requests at once would invalidate one of the codes.
    const sent = await oneTabAtATime('sign-in-code', () =>
      role === 'user'
        ? call(requestOtp, { body: name === '' ? { phone } : { phone, name } })
        : call(sendAgentOtp, { body: { phone } }),
    )
    setLimits((limits) => withoutLimit(limits, { role, step: 'send', phone }))
    const times = timesOf(sent, Date.now())
    storePendingCode({ role, phone, name, mode: context.state().mode, times })
    dispatch({ type: 'codeSent', times })
    return { ok: true }
  } catch (error) {
    const limited = recordLimit(context, error, { role, step: 'send', phone })
    if (limited !== undefined) return limited
    const outcome = refusalOf(error, i18n.t('errors.sendFailed', { ns: 'sessions' }))
    dispatch({ type: 'codeNotSent', error: outcome.message })
    return outcome
  }
}

/** Verifies the code sent to the phone of the last request. In sign-up mode the name goes along. */
export async function verifyCode(
  context: ActionContext,
  { role, code }: { readonly role: Role; readonly code: string },
): Promise<Outcome> {
  const { phone, name, mode } = context.state()
  if (role === 'agent') return verifyAgent(context, phone, code)
  return verifyUser(context, phone, code, mode === 'signup' ? name : '')
}

async function verifyUser(
  context: ActionContext,
  phone: string,
  code: string,
  name: string,
): Promise<Outcome> {
  const { client, dispatch, setLimits } = context
  dispatch({ type: 'verifyStarted' })
  try {
    const body = name === '' ? { phone, code } : { phone, code, name }
    const { user } = await call(verifyOtp, { body })
    setLimits([])
    signedIn(client, { user })
    dispatch({ type: 'verified' })
    return { ok: true }
  } catch (error) {
    if (isCallProblem(error) && error.code === 'SIGN_UP_REQUIRED') {
      storeProvenCode({ phone, code }, Date.now())
      dispatch({ type: 'signUpRequired', code })
      return { ok: false, message: error.message, field: 'name' }
    }
    return verificationRefused(context, error, 'user', phone)
  }
}

async function verifyAgent(context: ActionContext, phone: string, code: string): Promise<Outcome> {
  const { client, dispatch, setLimits } = context
  dispatch({ type: 'verifyStarted' })
  try {
    const { agent, token } = await call(verifyAgentOtp, { body: { phone, code } })
    setLimits([])
    signedIn(client, { agent })
    store('agentToken', token)
    dispatch({ type: 'verified' })
    return { ok: true }
  } catch (error) {
    return verificationRefused(context, error, 'agent', phone)
  }
}

function verificationRefused(context: ActionContext, error: unknown, role: Role, phone: string): Outcome {
  const limited = recordLimit(context, error, { role, step: 'check', phone })
  if (limited !== undefined) return limited
  const outcome = refusalOf(error, i18n.t('errors.verifyFailed', { ns: 'sessions' }))
  context.dispatch({ type: 'verifyFailed', error: outcome.message })
  return outcome
}

/** Finishes sign-up with the code that was verified before a name was given. */
export async function finishSignUp(context: ActionContext, name: string): Promise<Outcome> {
  const { phone, provenCode } = context.state()
  if (provenCode === null) return requestCode(context, { role: 'user', phone, name })
  const outcome = await verifyUser(context, phone, provenCode, name)
  // The server keeps a proof for `signUpProofMs`. Once refused it is spent: the next try requests a new code.
  if (!outcome.ok && outcome.field === 'code') context.dispatch({ type: 'provenCodeDropped' })
  return outcome
}

export async function rename(context: ActionContext, name: string): Promise<Outcome> {
  try {
    const { user } = await call(updateUser, { body: { name } })
    renamed(context.client, user)
    return { ok: true }
  } catch (error) {
    return refusalOf(error, i18n.t('errors.saveFailed', { ns: 'sessions' }))
  }
}

/** Puts a rate limit or a used-up code into the state. `undefined` for any other error. */
function recordLimit(
  { dispatch, setLimits }: ActionContext,
  error: unknown,
  { role, step, phone }: { readonly role: Role; readonly step: Step; readonly phone: string },
): Outcome | undefined {
  if (!isCallProblem(error)) return undefined
  const { code, message, retryAfterSeconds } = error
  const until = Date.now() + (retryAfterSeconds ?? 0) * 1000
  if (code === 'CODE_USED_UP') {
    markPendingCodeUsedUp(until)
    dispatch({ type: 'codeUsedUp', resendAt: until })
    return { ok: false, message, isShown: true }
  }
  if (error.status !== 429) return undefined
  // PHONE_LOCKED has no end time: only the support contact can unlock the number.
  if (retryAfterSeconds === undefined && code !== 'PHONE_LOCKED') return undefined
  const limit = { role, step, phone, code, until: retryAfterSeconds === undefined ? null : until }
  setLimits((limits) => withLimit(limits, limit, Date.now()))
  dispatch({ type: 'limited' })
  return { ok: false, message, isShown: true }
}

function timesOf(sent: CodeSent, now: number): CodeTimes {
  return {
    sentAt: now,
    expiresAt: now + sent.expiresInSeconds * 1000,
    resendAt: now + sent.resendInSeconds * 1000,
    isEarlier: !sent.sent,
  }
}
