import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Role } from '#client/session/session.rules.ts'
import { type CodeRequest, finishSignUp, requestCode, verifyCode } from './sign-in.actions.ts'
import { type Mode, type SignInAction, signInReducer } from './sign-in.rules.ts'
import { hasStoredSignIn, readSignIn, storeSignIn } from './sign-in-draft.ts'

export type SignInOfPage = ReturnType<typeof useSignIn>

/** The sign-in of a page: its state, which is stored with every change, and the user's actions. */
export function useSignIn(role: Role) {
  const client = useQueryClient()
  // The state is a React state and not a store: text that the browser filled in before the app started appears in one update.
  const [state, setState] = useState(() => readSignIn(role))
  const newest = useRef(state)

  function dispatch(action: SignInAction): void {
    newest.current = signInReducer(newest.current, action)
    setState(newest.current)
    storeSignIn(newest.current)
  }

  useEffect(() => {
    storeSignIn(newest.current)
    return () => {
      // The state is missing when another user has signed in meanwhile: do not store it again.
      if (hasStoredSignIn()) storeSignIn(signInReducer(newest.current, { type: 'left' }))
    }
  }, [])

  const context = { state: () => newest.current, dispatch, client }
  return {
    ...state,
    requestCode: (request: CodeRequest) => requestCode(context, request),
    verifyCode: (code: string) => verifyCode(context, code),
    finishSignUp: (name: string) => finishSignUp(context, name),
    chooseMode: (mode: Mode) => dispatch({ type: 'modeChosen', mode }),
    dropProof: () => dispatch({ type: 'proofDropped' }),
    resetOtp: () => dispatch({ type: 'otpReset' }),
  }
}
