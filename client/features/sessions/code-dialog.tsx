import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Role } from '#client/session/session.rules.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { ModalDialog } from '#client/ui/modal-dialog.tsx'
import { Tents } from '#client/ui/tents.tsx'
import { hideToast, showToast } from '#client/ui/toast.tsx'
import type { Outcome } from './call-outcome.ts'
import { cleanTypedCode, isCodeComplete, isFilledAtOnce, minutesValid } from './code.rules.ts'
import { CodeField } from './code-field.tsx'
import { isWaiting, LimitNotice, type SupportContact, useLimit, useWaitText } from './limit-notice.tsx'
import type { CodeTimes } from './sessions.rules.ts'
import { focusRefused, useErrorToasts } from './use-error-toasts.ts'
import { useSecondsUntil } from './use-seconds.ts'
import '#client/ui/buttons.css'
import './code-dialog.css'

interface CodeDialogProps {
  /** Null closes the dialog: no code is pending. */
  times: CodeTimes | null
  /** Too many wrong codes were entered: only a new code helps. */
  isUsedUp: boolean
  userRole: Role
  phone: string
  contact: SupportContact | undefined
  onVerify: (code: string) => Promise<Outcome>
  onResend: () => Promise<Outcome>
  /** The user closes the dialog without having verified. */
  onClose: () => void
  /** The dialog is closed, after success too; focus must be placed. */
  onClosed: () => void
}

export function CodeDialog({ times, onClosed, ...form }: CodeDialogProps) {
  const { t } = useTranslation('sessions')
  const titleId = useId()
  const isOpen = times !== null
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) onClosed()
    wasOpen.current = isOpen
  })
  if (times === null) return null
  return (
    <ModalDialog className="code-dialog" titled={{ by: titleId }} onClose={form.onClose}>
      <h2 id={titleId} className="code-title">
        {t('code.title')}
      </h2>
      <CodeForm times={times} {...form} />
    </ModalDialog>
  )
}

interface CodeFormProps extends Omit<CodeDialogProps, 'times' | 'onClosed'> {
  times: CodeTimes
}

/** Entry, verification and resending of one code. The typed code is held here only, so closing clears it (spec §2). */
function useCodeEntry({ times, isUsedUp, onVerify, onResend }: CodeFormProps, isLocked: boolean) {
  const { t } = useTranslation('sessions')
  const input = useRef<HTMLInputElement>(null)
  const resendArea = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState<'verifying' | 'resending'>()
  const [news, setNews] = useState('')
  const hasResent = useRef(false)
  /** A code typed digit by digit is sent by itself once: what is corrected after a refusal waits for the button. */
  const hasSentItself = useRef(false)
  const isSaidAtField = useErrorToasts(true)

  useEffect(() => {
    if (isUsedUp) resendArea.current?.focus()
    else input.current?.focus()
  }, [isUsedUp])
  // After the dialog is mounted: a live region mounted together with its text is not announced. A request that sent
  // nothing must not be announced as a message sent.
  useEffect(() => {
    const sent = hasResent.current ? t('code.resent') : t('code.sent')
    setNews(isUsedUp ? t('code.usedUp') : times.isEarlier ? t('code.earlier') : sent)
  }, [t, isUsedUp, times])

  /** True when the focus announces the message. */
  function refuse(text: string): boolean {
    setError(text)
    const isAnnounced = focusRefused(input.current)
    // The next digit replaces the refused code.
    input.current?.select()
    return isAnnounced
  }

  function clear(): void {
    setCode('')
    setError(undefined)
  }

  async function verify(typed: string): Promise<void> {
    if (busy !== undefined || isLocked) return
    if (!isCodeComplete(typed)) {
      showToast(t('errors.code'), { isAnnounced: !refuse(t('errors.code')) })
      return
    }
    hideToast()
    setBusy('verifying')
    const outcome = await onVerify(typed)
    setBusy(undefined)
    if (outcome.ok) return
    // A limit or a used-up code: the typed code cannot succeed any more.
    if (outcome.isShown) clear()
    else isSaidAtField.current = refuse(outcome.message)
  }

  function change(text: string): void {
    const next = cleanTypedCode(text)
    setCode(next)
    setError(undefined)
    if (!isCodeComplete(next) || next === code) return
    // A pasted or autofilled code always is.
    if (!isFilledAtOnce(code, next) && hasSentItself.current) return
    hasSentItself.current = true
    void verify(next)
  }

  async function resend(): Promise<void> {
    if (busy !== undefined) return
    hideToast()
    setBusy('resending')
    setNews('')
    hasResent.current = true
    const outcome = await onResend()
    setBusy(undefined)
    if (!outcome.ok) return
    hasSentItself.current = false
    clear()
    input.current?.focus()
  }

  return { input, resendArea, code, error, busy, news, verify, change, resend }
}

function CodeForm(props: CodeFormProps) {
  const { times, isUsedUp, userRole, phone, contact, onClose } = props
  const { t } = useTranslation('sessions')
  const checkLimit = useLimit(userRole, 'check', phone)
  const sendLimit = useLimit(userRole, 'send', phone)
  const checkLimitId = useId()
  const sendLimitId = useId()
  const isLocked = isUsedUp || isWaiting(checkLimit)
  const { input, resendArea, code, error, busy, news, verify, change, resend } = useCodeEntry(props, isLocked)

  function submit(event: FormEvent): void {
    event.preventDefault()
    void verify(code)
  }

  return (
    <form className="code-form" onSubmit={submit} noValidate>
      <p className="auth-intro">
        {t('code.sentTo')}{' '}
        <span className="code-phone">
          <Ltr>{phone}</Ltr>
        </span>
      </p>
      <button type="button" className="button button-quiet code-change" onClick={onClose}>
        {t('code.changeNumber')}
      </button>
      <LimitNotice id={checkLimitId} current={checkLimit} contact={contact} />
      <CodeField
        inputRef={input}
        value={code}
        onChange={change}
        error={isUsedUp ? t('code.usedUp') : error}
        hint={t('code.validFor', { count: minutesValid(times) })}
        isReadOnly={isUsedUp}
      />
      <p className="visually-hidden" role="status">
        {news}
      </p>
      <LimitNotice id={sendLimitId} current={sendLimit} contact={contact} />
      <div ref={resendArea} tabIndex={-1} className="code-resend">
        {times.isEarlier && !isUsedUp ? <p>{t('code.earlier')}</p> : null}
        {!isWaiting(sendLimit) ? (
          <Resend
            resendAt={times.resendAt}
            isNeeded={isUsedUp}
            isBusy={busy !== undefined}
            onResend={() => void resend()}
          />
        ) : null}
      </div>
      <Tents />
      <div className="dock">
        <button
          type="submit"
          className={`button button-wide ${isUsedUp ? '' : 'button-primary'} ${isLocked ? 'is-limited' : ''}`}
          aria-disabled={busy === 'verifying' || isLocked}
          aria-describedby={checkLimit === undefined ? undefined : checkLimitId}
        >
          {busy === 'verifying' ? t('code.verifying') : t('code.verify')}
        </button>
      </div>
    </form>
  )
}

interface ResendProps {
  resendAt: number
  /** The code is used up: resending is the only next step. */
  isNeeded: boolean
  isBusy: boolean
  onResend: () => void
}

/** Countdown to `resendAt`, not announced each second; then the button. */
function Resend({ resendAt, isNeeded, isBusy, onResend }: ResendProps) {
  const { t } = useTranslation('sessions')
  const waitText = useWaitText()
  const seconds = useSecondsUntil(resendAt)
  if (seconds > 0)
    return <p className="code-countdown">{t('code.resendAfter', { time: waitText(seconds) })}</p>
  return (
    <p className={isNeeded ? 'code-new' : undefined}>
      {isNeeded ? null : t('code.notReceived')}{' '}
      <button
        type="button"
        className={isNeeded ? 'button button-primary button-wide' : 'button button-quiet code-again'}
        onClick={onResend}
        aria-disabled={isBusy}
      >
        {isNeeded ? t('code.sendNew') : t('code.resend')}
      </button>
    </p>
  )
}
