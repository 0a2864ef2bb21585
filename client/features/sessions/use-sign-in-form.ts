import { type FormEvent, type RefObject, useState } from 'react'
import { hideToast, showToast } from '#client/ui/toast.tsx'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { readPersonName } from '#shared/sessions/person-name.ts'
import { isWaiting, useLimit, useNewestLimit } from './limit-notice.tsx'
import { type TypedPhone, typedPhoneOf } from './phone-field.tsx'
import { phoneFault } from './phone-text.rules.ts'
import { type Mode, otpSent } from './sign-in.rules.ts'
import {
  type Fault,
  focusRefused,
  nameLengthFault,
  phoneLengthFault,
  useFailureToast,
  useFaultText,
  useSignInError,
} from './sign-in-errors.ts'
import { usePhoneNumber } from './use-phone-number.ts'
import type { SignInOfPage } from './use-sign-in.ts'

interface Faults {
  readonly name?: Fault | undefined
  readonly phone?: Fault | undefined
}

interface Inputs {
  /** Users only. */
  readonly name?: RefObject<HTMLInputElement | null>
  readonly phone: RefObject<HTMLInputElement | null>
}

/** Fields, validation and submission of a sign-in form. A refused field gets the focus. */
export function useSignInForm(signIn: SignInOfPage, inputs: Inputs) {
  const faultText = useFaultText()
  const { mode, proof, status } = signIn
  const isOpen = otpSent(signIn)
  const [name, setName] = useState(isOpen ? signIn.name : '')
  const [phone, setPhone] = useState<TypedPhone>(() => typedPhoneOf(signIn.phone))
  const [faults, setFaults] = useState<Faults>({})
  useFailureToast(!isOpen)

  /** The code is verified; only the name is missing. */
  const mustFinish = mode === 'signup' && proof !== null
  const { number, numberOf, loadNumber, isLoading } = usePhoneNumber(phone)
  const step = mustFinish ? 'check' : 'send'
  const limit = useLimit(signIn, step, number)
  const shownLimit = useNewestLimit(signIn, step, number)
  const isSending = isLoading || (status === 'loading' && !isOpen)

  /** True when the focus announces the first message. */
  function refuse(found: Faults): boolean {
    setFaults(found)
    const first = found.name === undefined ? inputs.phone : inputs.name
    return focusRefused(first?.current ?? null)
  }

  useSignInError(signIn, !isOpen, ({ field, message }) => {
    const isField = field === 'phone' || field === 'name'
    return isField && refuse({ [field]: { said: message } })
  })

  function findFaults(number: string): Faults {
    const read = mode === 'signup' ? readPersonName(name) : undefined
    const ofPhone = phoneFault(number)
    return {
      ...(read !== undefined && 'fault' in read ? { name: { key: read.fault } } : {}),
      ...(ofPhone && { phone: { key: ofPhone } }),
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isWaiting(limit)) void send()
  }

  async function send(channel?: SendChannel): Promise<void> {
    if (isSending) return
    const sent = number ?? (await loadNumber())
    if (sent === undefined) return
    const found = findFaults(sent)
    const first = faultText(found.name ?? found.phone)
    if (first !== undefined) {
      showToast(first, { isAnnounced: !refuse(found) })
      return
    }
    setFaults({})
    hideToast()
    const read = readPersonName(name)
    const cleanName = 'name' in read ? read.name : ''
    if (mustFinish) await signIn.finishSignUp(cleanName)
    else await signIn.requestCode({ phone: sent, channel, ...(mode === 'signup' ? { name: cleanName } : {}) })
  }

  function changeName(next: string): void {
    setName(next)
    setFaults((before) => ({ ...before, name: nameLengthFault(next) }))
  }

  function changePhone(next: TypedPhone): void {
    setPhone(next)
    setFaults((before) => ({ ...before, phone: phoneLengthFault(numberOf(next) ?? next.text) }))
    // The proof is valid for the number it was given for.
    if (proof !== null && numberOf(next) !== signIn.phone) signIn.dropProof()
  }

  function chooseMode(next: Mode): void {
    setFaults({})
    signIn.chooseMode(next)
  }

  /** Of the number that was refused. */
  const offered = !isOpen && number === signIn.phone ? signIn.offered : null
  const errors = { name: faultText(faults.name), phone: faultText(faults.phone) }
  return {
    name,
    changeName,
    phone,
    changePhone,
    chooseMode,
    errors,
    limit,
    shownLimit,
    isSending,
    mustFinish,
    submit,
    signIn,
    offered,
    send,
    sendNow: () => void send(),
  }
}
