import { useRef, useState } from 'react'
import { call, isCallProblem } from '#client/platform/call.ts'
import { oneTabAtATime } from '#client/platform/one-tab.ts'
import { useSession } from '#client/session/session.ts'
import { showToast } from '#client/ui/toast.tsx'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { askConfirmation, verifyConfirmation } from '#shared/sessions/confirmations.operations.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import { failed, sentCodeOf } from './sign-in.actions.ts'
import { type SignInAction, signInReducer, startOf } from './sign-in.rules.ts'

/** Runs a request after its user has confirmed it with a code; not at all when the dialog is closed without one. */
export type Confirming = (purpose: ConfirmationPurpose, run: () => Promise<unknown>) => Promise<void>

/** A purpose that waits for its code. `settle` is called once, with `true` when the user has confirmed it. */
interface Asked {
  readonly purpose: ConfirmationPurpose
  readonly settle: (isConfirmed: boolean) => void
}

export type Confirmation = ReturnType<typeof useConfirmation>

/**
 * Confirmations of one page. A confirmation uses the state of a sign-in code, and does not store it: closing the dialog or
 * leaving the page forgets the code.
 */
export function useConfirmation() {
  const phone = useSession().user?.phone ?? ''
  const [asked, setAsked] = useState<Asked | null>(null)
  const [state, setState] = useState(() => startOf('user'))
  const newest = useRef(state)
  /**
   * The time until which a confirmed request can be sent again without a new code, after the server refused it for another
   * reason.
   */
  const confirmedUntil = useRef(new Map<ConfirmationPurpose, number>())

  function dispatch(action: SignInAction): void {
    newest.current = signInReducer(newest.current, action)
    setState(newest.current)
  }

  function settle(isConfirmed: boolean): void {
    dispatch({ type: 'otpReset' })
    setAsked(null)
    asked?.settle(isConfirmed)
  }

  const context = { state: () => newest.current, dispatch }

  async function requestCode({ channel }: { readonly channel?: SendChannel | undefined }) {
    if (asked === null) return false
    const { purpose } = asked
    dispatch({ type: 'codeRequested', phone, name: '' })
    try {
      const sent = await oneTabAtATime('sign-in-code', () =>
        call(askConfirmation, { body: { purpose, ...(channel && { channel }) } }),
      )
      dispatch({ type: 'codeSent', code: sentCodeOf(sent, Date.now()) })
      return true
    } catch (error) {
      return failed(context, error, 'send', channel)
    }
  }

  async function verifyCode(code: string) {
    dispatch({ type: 'verifyStarted' })
    try {
      const { confirmedUntil: until } = await call(verifyConfirmation, { body: { code } })
      if (asked !== null) confirmedUntil.current.set(asked.purpose, Date.parse(until))
      settle(true)
      return true
    } catch (error) {
      if (!isCallProblem(error) || error.status !== 401) return failed(context, error, 'check')
      // The third wrong code has ended the session: the app leaves the page.
      showToast(error.message)
      settle(false)
      return false
    }
  }

  const confirming: Confirming = async (purpose, run) => {
    const isConfirmed =
      (confirmedUntil.current.get(purpose) ?? 0) > Date.now() ||
      (await new Promise<boolean>((settleAsked) => setAsked({ purpose, settle: settleAsked })))
    if (!isConfirmed) return
    try {
      await run()
      confirmedUntil.current.delete(purpose)
    } catch (error) {
      // The caller of `run` shows the error.
      if (isCallProblem(error) && error.code === 'CONFIRMATION_REQUIRED')
        confirmedUntil.current.delete(purpose)
    }
  }

  return {
    ...state,
    phone,
    purpose: asked?.purpose,
    confirming,
    requestCode,
    verifyCode,
    resetOtp: () => settle(false),
  }
}
