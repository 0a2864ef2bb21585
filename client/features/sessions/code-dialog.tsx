import { Button, Input, type InputRef, Modal } from 'antd'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import type { Outcome } from './call-outcome.ts'
import { cleanTypedCode, isCodeComplete, isFilledAtOnce, minutesValid } from './code.rules.ts'
import { isWaiting, LimitNotice, type SupportContact, useLimit, useWaitText } from './limit-notice.tsx'
import type { CodeTimes, Role } from './sessions.rules.ts'
import { useSecondsUntil } from './use-seconds.ts'
import type { Toast } from './use-toast.tsx'

interface CodeDialogProps {
  /** Null closes the dialog: no code is pending. */
  times: CodeTimes | null
  /** Too many wrong codes were entered: only a new code helps. */
  isUsedUp: boolean
  userRole: Role
  phone: string
  contact: SupportContact | undefined
  toast: Toast
  onVerify: (code: string) => Promise<Outcome>
  onResend: () => Promise<Outcome>
  /** The user closes the dialog without having verified. */
  onClose: () => void
  /** The dialog is closed, after success too; focus must be placed. */
  onClosed: () => void
}

export function CodeDialog({ times, onClosed, ...form }: CodeDialogProps) {
  const { t } = useTranslation('sessions')
  return (
    <Modal
      open={times !== null}
      title={t('code.title')}
      footer={null}
      // antd labels its own close icon in English.
      closeIcon={<Icon name="cross" />}
      // In place: for a portal antd adds a scroll-lock style element without the CSP nonce.
      getContainer={false}
      transitionName=""
      maskTransitionName=""
      // A tap beside the dialog must not discard the code.
      mask={{ closable: false }}
      // Otherwise the hidden dialog keeps the typed code.
      destroyOnHidden
      focusable={{ focusTriggerAfterClose: false }}
      onCancel={form.onClose}
      afterClose={onClosed}
    >
      {times === null ? null : <CodeForm times={times} {...form} />}
    </Modal>
  )
}

interface CodeFormProps extends Omit<CodeDialogProps, 'times' | 'onClosed'> {
  times: CodeTimes
}

/** Entry, verification and resending of one code. The typed code is held here only, so closing clears it (spec §2). */
function useCodeEntry({ times, isUsedUp, toast, onVerify, onResend }: CodeFormProps, isLocked: boolean) {
  const { t } = useTranslation('sessions')
  const input = useRef<InputRef>(null)
  const resendArea = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState<'verifying' | 'resending'>()
  const [news, setNews] = useState('')
  const hasResent = useRef(false)

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

  function refuse(text: string): void {
    setError(text)
    input.current?.focus({ cursor: 'all' })
  }

  function clear(): void {
    setCode('')
    setError(undefined)
  }

  async function verify(typed: string): Promise<void> {
    if (busy !== undefined || isLocked) return
    if (!isCodeComplete(typed)) {
      toast.show(t('errors.code'))
      refuse(t('errors.code'))
      return
    }
    toast.hide()
    setBusy('verifying')
    const outcome = await onVerify(typed)
    setBusy(undefined)
    if (outcome.ok) return
    // A limit or a used-up code: the typed code cannot succeed any more.
    if (outcome.isShown) clear()
    else refuse(outcome.message)
  }

  function change(text: string): void {
    const next = cleanTypedCode(text)
    setCode(next)
    // A pasted or autofilled code is submitted without another press.
    if (isFilledAtOnce(code, next)) void verify(next)
  }

  async function resend(): Promise<void> {
    if (busy !== undefined) return
    toast.hide()
    setBusy('resending')
    setNews('')
    hasResent.current = true
    const outcome = await onResend()
    setBusy(undefined)
    if (!outcome.ok) return
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
      <div className="code-sent">
        <p>{t('code.sentTo')}</p>
        <p className="code-phone">
          <Ltr>{phone}</Ltr>
        </p>
      </div>
      <LimitNotice id={checkLimitId} current={checkLimit} contact={contact} />
      <Field
        label={t('code.label')}
        error={isUsedUp ? t('code.usedUp') : error}
        hint={t('code.validFor', { count: minutesValid(times) })}
      >
        {(control) => (
          <Input
            {...control}
            ref={input}
            className="code-input"
            dir="ltr"
            autoComplete="one-time-code"
            inputMode="numeric"
            value={code}
            // No maxLength: it would cut a pasted "12 34" or a whole message before cleanTypedCode.
            onChange={(event) => change(event.target.value)}
            readOnly={isUsedUp}
            status={error === undefined && !isUsedUp ? '' : 'error'}
          />
        )}
      </Field>
      <Button
        type={isUsedUp ? 'default' : 'primary'}
        htmlType="submit"
        block
        className={isLocked ? 'is-limited' : ''}
        aria-disabled={busy === 'verifying' || isLocked}
        aria-describedby={checkLimit === undefined ? undefined : checkLimitId}
      >
        {busy === 'verifying' ? t('code.verifying') : t('code.verify')}
      </Button>
      <p className="visually-hidden" role="status">
        {news}
      </p>
      <div className="code-help">
        <LimitNotice id={sendLimitId} current={sendLimit} contact={contact} />
        <div ref={resendArea} tabIndex={-1} className="code-resend">
          {isUsedUp ? null : <p>{times.isEarlier ? t('code.earlier') : t('code.notReceived')}</p>}
          {!isWaiting(sendLimit) ? (
            <Resend
              resendAt={times.resendAt}
              isNeeded={isUsedUp}
              isBusy={busy !== undefined}
              onResend={() => void resend()}
            />
          ) : null}
        </div>
        <Button type="link" onClick={onClose}>
          {t('code.changeNumber')}
        </Button>
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
  if (seconds > 60) {
    return <p className="code-countdown">{t('code.resendAfter', { time: waitText(seconds) })}</p>
  }
  if (seconds > 0) return <p className="code-countdown">{t('code.resendIn', { count: seconds })}</p>
  return (
    <Button type={isNeeded ? 'primary' : 'link'} block={isNeeded} onClick={onResend} aria-disabled={isBusy}>
      {isNeeded ? t('code.sendNew') : t('code.resend')}
    </Button>
  )
}
