import { type FormEvent, type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hideToast, showToast } from '#client/ui/toast.tsx'
import { readPersonName } from '#shared/sessions/person-name.ts'
import { isWaiting, useLimit } from './limit-notice.tsx'
import { type TypedPhone, typedPhoneOf } from './phone-field.tsx'
import { isPhoneLongEnough } from './phone-text.rules.ts'
import type { Mode } from './sessions.rules.ts'
import { useSessions } from './sessions.state.tsx'
import { focusRefused, useErrorToasts } from './use-error-toasts.ts'
import { usePhoneNumber } from './use-phone-number.ts'

interface FieldErrors {
  readonly name?: string | undefined
  readonly phone?: string | undefined
}

interface Inputs {
  readonly name: RefObject<HTMLInputElement | null>
  readonly phone: RefObject<HTMLInputElement | null>
}

/** Fields, validation and submission of the users' sign-in form. A refused field gets the focus. */
export function useAuthForm(inputs: Inputs) {
  const { t } = useTranslation('sessions')
  const sessions = useSessions()
  const { mode, provenCode, otpSent, phone: sentPhone, name: sentName } = sessions.state
  const [name, setName] = useState(otpSent ? sentName : '')
  const [phone, setPhone] = useState<TypedPhone>(() =>
    typedPhoneOf(otpSent || provenCode !== null ? sentPhone : ''),
  )
  const [errors, setErrors] = useState<FieldErrors>({})
  const isSaidAtField = useErrorToasts(!otpSent)
  const [isSending, setIsSending] = useState(false)

  /** The code is verified; only the name is missing. */
  const mustFinish = mode === 'signup' && provenCode !== null
  const { number, numberOf, loadNumber, isLoading } = usePhoneNumber(phone)
  const limit = useLimit('user', mustFinish ? 'check' : 'send', number)

  /** True when the focus announces the first message. */
  function refuse(found: FieldErrors): boolean {
    setErrors(found)
    const first = found.name === undefined ? inputs.phone : inputs.name
    return focusRefused(first.current)
  }

  function findErrors(number: string): FieldErrors {
    const read = mode === 'signup' ? readPersonName(name) : undefined
    return {
      ...(read !== undefined && 'fault' in read ? { name: t(`errors.${read.fault}`) } : {}),
      ...(isPhoneLongEnough(number) ? {} : { phone: t('errors.phone') }),
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending || isLoading || isWaiting(limit)) return
    const sent = number ?? (await loadNumber())
    if (sent === undefined) return
    const found = findErrors(sent)
    if (found.name !== undefined || found.phone !== undefined) {
      const isAnnounced = !refuse(found)
      showToast(found.name ?? found.phone ?? '', { isAnnounced })
      return
    }
    setErrors({})
    hideToast()
    setIsSending(true)
    const outcome = mustFinish
      ? await sessions.finishSignUp(name.trim())
      : await sessions.requestCode({
          role: 'user',
          phone: sent,
          ...(mode === 'signup' ? { name: name.trim() } : {}),
        })
    setIsSending(false)
    if (outcome.ok) return
    if (outcome.field === 'phone') isSaidAtField.current = refuse({ phone: outcome.message })
    if (outcome.field === 'name') isSaidAtField.current = refuse({ name: outcome.message })
  }

  function changeName(next: string): void {
    setName(next)
    setErrors((before) => ({ ...before, name: undefined }))
  }

  function changePhone(next: TypedPhone): void {
    setPhone(next)
    setErrors((before) => ({ ...before, phone: undefined }))
    // The proof is valid for the number it was given for.
    if (provenCode !== null && numberOf(next) !== sentPhone) sessions.dropProvenCode()
  }

  function chooseMode(next: Mode): void {
    setErrors({})
    sessions.chooseMode(next)
  }

  return {
    ...{ name, changeName, phone, changePhone, chooseMode },
    ...{ errors, limit, isSending: isSending || isLoading, mustFinish, submit },
  }
}
