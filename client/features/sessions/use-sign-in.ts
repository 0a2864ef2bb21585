import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createStore, useStore } from '#client/platform/store.ts'
import type { Role } from '#client/session/session.rules.ts'
import { finishSignUp, requestCode, verifyCode } from './sign-in.actions.ts'
import { type Mode, type SignInAction, signInReducer } from './sign-in.rules.ts'
import { hasStoredSignIn, readSignIn, storeSignIn } from './sign-in-draft.ts'

export type SignInOfPage = ReturnType<typeof useSignIn>

/** The sign-in of a page: its state, stored with every change, and what the user can do. */
export function useSignIn(role: Role) {
  const client = useQueryClient()
  const [store] = useState(() => createStore(readSignIn(role)))
  const state = useStore(store)

  function dispatch(action: SignInAction): void {
    store.set(signInReducer(store.get(), action))
    storeSignIn(store.get())
  }

  useEffect(() => {
    storeSignIn(store.get())
    return () => {
      // Wiped when another person signed in meanwhile.
      if (hasStoredSignIn()) storeSignIn(signInReducer(store.get(), { type: 'left' }))
    }
  }, [store])

  const context = { state: store.get, dispatch, client }
  return {
    ...state,
    requestCode: (request: { readonly phone: string; readonly name?: string }) =>
      requestCode(context, request),
    verifyCode: (code: string) => verifyCode(context, code),
    finishSignUp: (name: string) => finishSignUp(context, name),
    chooseMode: (mode: Mode) => dispatch({ type: 'modeChosen', mode }),
    dropProof: () => dispatch({ type: 'proofDropped' }),
    resetOtp: () => dispatch({ type: 'otpReset' }),
    clearError: () => dispatch({ type: 'errorCleared' }),
  }
}
