import { useForm } from '#client/ui/form.tsx'
import { hideToast } from '#client/ui/toast.tsx'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { readPersonName } from '#shared/sessions/person-name.ts'
import { useLimit, useNewestLimit } from './limit-notice.tsx'
import { type TypedPhone, typedPhoneOf } from './phone-field.tsx'
import { phoneFault } from './phone-text.rules.ts'
import { type Mode, otpSent } from './sign-in.rules.ts'
import { signInDraft } from './sign-in-draft.ts'
import {
  nameFault,
  nameLengthFault,
  phoneLengthFault,
  toastRefusal,
  useFailureToast,
  useFaultText,
} from './sign-in-errors.ts'
import { loadNumbers, phoneNumberOf, usePhoneNumber } from './use-phone-number.ts'
import type { SignInOfPage } from './use-sign-in.ts'

interface SignInFields {
  /** The draft of the sign-in stores these fields (sign-in-draft.ts). */
  readonly mode: Mode
  readonly name: string
  readonly phone: TypedPhone
  /** The channel of the code. `undefined` means the first channel on offer. */
  readonly channel: SendChannel | undefined
}

/** The form of a sign-in page. */
export function useSignInForm(signIn: SignInOfPage) {
  const faultText = useFaultText()
  const { mode, proof, status } = signIn
  const isOpen = otpSent(signIn)
  const isNamed = mode === 'signup'
  /** The code is verified; only the name is missing. */
  const mustFinish = isNamed && proof !== null
  useFailureToast(!isOpen)
  const form = useForm<SignInFields, boolean>({
    values: {
      mode,
      name: isOpen ? signIn.name : '',
      phone: typedPhoneOf(signIn.phone),
      channel: undefined,
    },
    draft: signInDraft,
    limits: ({ name, phone }) => ({
      name: isNamed ? faultText(nameLengthFault(name)) : undefined,
      phone: faultText(phoneLengthFault(phoneNumberOf(phone) ?? phone.text)),
    }),
    check({ name, phone }) {
      const number = phoneNumberOf(phone)
      return {
        name: isNamed ? faultText(nameFault(name)) : undefined,
        phone: number === undefined ? undefined : faultText(phoneFault(number)),
      }
    },
    load: loadNumbers,
    async send({ name, phone, channel }) {
      hideToast()
      const read = readPersonName(name)
      const cleanName = 'name' in read ? read.name : ''
      if (mustFinish) return signIn.finishSignUp(cleanName)
      return signIn.requestCode({
        phone: phoneNumberOf(phone) ?? phone.text,
        channel,
        ...(isNamed ? { name: cleanName } : {}),
      })
    },
    onRefused: toastRefusal,
  })

  const number = usePhoneNumber(form.values.phone)
  const step = mustFinish ? 'check' : 'send'
  return {
    form,
    signIn,
    mustFinish,
    limit: useLimit(signIn, step, number),
    shownLimit: useNewestLimit(signIn, step, number),
    isSending: form.isSending || (status === 'loading' && !isOpen),
    /** The channels on offer after the number was refused. */
    offered: !isOpen && number === signIn.phone ? signIn.offered : null,
    chooseMode(next: Mode): void {
      form.change({ mode: next })
      signIn.chooseMode(next)
    },
    changePhone(next: TypedPhone): void {
      form.change({ phone: next })
      // The proof is valid only for the number whose code was verified.
      if (proof !== null && phoneNumberOf(next) !== signIn.phone) signIn.dropProof()
    },
  }
}
