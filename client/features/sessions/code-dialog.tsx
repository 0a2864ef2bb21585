import type { ParseKeys } from 'i18next'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSecondsUntil } from '#client/platform/time.ts'
import { Announced } from '#client/ui/announced.tsx'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { Overlay } from '#client/ui/overlay.tsx'
import { Tents } from '#client/ui/tents.tsx'
import { hideToast, showToast } from '#client/ui/toast.tsx'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { AgentPairing } from './agent-pairing.tsx'
import styles from './auth.module.css'
import { cleanTypedCode, isCodeComplete, isFilledAtOnce, minutesValid } from './code.rules.ts'
import { CodeField } from './code-field.tsx'
import { ContactLinks } from './contact-links.tsx'
import { isWaiting, LimitNotice, useLimit, useNewestLimit, useWaitText } from './limit-notice.tsx'
import { OtherChannels, useOtherChannels } from './other-channels.tsx'
import type { SentCode } from './sign-in.rules.ts'
import { focusRefused, useFailureToast, useSignInError } from './sign-in-errors.ts'
import type { SignInOfPage } from './use-sign-in.ts'

/** A code that is asked for, and what its dialog can do: that of a sign-in, or of a confirmation. */
export type CodeEntry = Pick<
  SignInOfPage,
  | 'role'
  | 'status'
  | 'phone'
  | 'name'
  | 'limits'
  | 'offered'
  | 'error'
  | 'clearError'
  | 'requestCode'
  | 'verifyCode'
  | 'resetOtp'
> & {
  /** Where a code by e-mail goes. */
  readonly email?: string
  /** Absent: the number can be changed. */
  readonly leave?: string
}

interface CodeDialogProps {
  readonly signIn: SignInOfPage
  /** The field that gets the focus when the dialog is closed. */
  readonly returnTo: () => HTMLElement | null
}

/** Open while a code is pending. */
export function CodeDialog({ signIn, returnTo }: CodeDialogProps) {
  const { t } = useTranslation('sessions')
  const { code } = signIn
  if (code === null) return null
  return (
    <Overlay
      kind="full"
      title={t('code.title')}
      onClose={signIn.resetOtp}
      isLocked={signIn.status === 'loading'}
      returnTo={returnTo}
    >
      <CodeForm signIn={signIn} sent={code} />
    </Overlay>
  )
}

interface CodeFormProps {
  readonly signIn: CodeEntry
  readonly sent: SentCode
}

/** Agents get no code by e-mail. */
const agentNewsKey = (channel: SentCode['channel']) =>
  channel === 'email' ? 'agentCode.news.sms' : (`agentCode.news.${channel}` as const)

const earlierKey = (role: CodeEntry['role']) => (role === 'agent' ? 'agentCode.earlier' : 'code.earlier')

/**
 * The text that a screen reader announces about a code. An agent's number that is not registered gets no code and the same
 * answer, so agents read only what holds for both.
 */
function newsKey(
  role: CodeEntry['role'],
  { channel, isEarlier }: SentCode,
  hasResent: boolean,
): ParseKeys<'sessions'> {
  if (isEarlier) return earlierKey(role)
  if (role === 'agent') return channel === 'sms' && hasResent ? 'agentCode.resent' : agentNewsKey(channel)
  if (channel !== 'sms') return `code.news.${channel}`
  return hasResent ? 'code.resent' : 'code.sent'
}

/** The text before the number that the code was asked for. */
function sentToKey(role: CodeEntry['role'], { channel, isEarlier }: SentCode): ParseKeys<'sessions'> {
  if (role === 'agent') return isEarlier ? 'agentCode.sentEarlier' : agentNewsKey(channel)
  return channel === 'call' && !isEarlier ? 'code.news.call' : `code.sentTo.${channel}`
}

/** Entry, verification and resending of one code. The typed code is held here only, so closing clears it (spec §2). */
function useCodeEntry({ signIn, sent }: CodeFormProps, isLocked: boolean) {
  const { t } = useTranslation('sessions')
  const { isUsedUp } = sent
  const { role } = signIn
  const input = useRef<HTMLInputElement>(null)
  const resendArea = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState<'verifying' | 'resending'>()
  const [news, setNews] = useState('')
  const hasResent = useRef(false)
  /** A code typed digit by digit is sent by itself once: what is corrected after a refusal waits for the button. */
  const hasSentItself = useRef(false)
  useFailureToast(true)

  useEffect(() => {
    if (isUsedUp) resendArea.current?.focus()
    else input.current?.focus()
  }, [isUsedUp])
  // After the dialog is mounted: a live region mounted together with its text is not announced. A request that sent
  // nothing must not be announced as a message sent.
  useEffect(() => {
    setNews(sent.isUsedUp ? t('code.usedUp') : t(newsKey(role, sent, hasResent.current)))
  }, [t, role, sent])

  /** True when the focus announces the message. */
  function refuse(text: string): boolean {
    setError(text)
    const isAnnounced = focusRefused(input.current)
    // The next digit replaces the refused code.
    input.current?.select()
    return isAnnounced
  }

  useSignInError(signIn, true, ({ step, message }) => step === 'check' && refuse(message))

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
    const outcome = await signIn.verifyCode(typed)
    setBusy(undefined)
    // A limit or a used-up code.
    if (outcome.isFinal) clear()
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

  async function resend(channel: SendChannel): Promise<void> {
    if (busy !== undefined) return
    hideToast()
    setBusy('resending')
    setNews('')
    hasResent.current = true
    const { phone, name } = signIn
    const outcome = await signIn.requestCode({ phone, name, channel })
    setBusy(undefined)
    if (!outcome.ok) return
    hasSentItself.current = false
    clear()
    input.current?.focus()
  }

  return { input, resendArea, code, error, busy, news, verify, change, resend }
}

/** The fields and ways of one code that was sent. */
export function CodeForm(props: CodeFormProps) {
  const { signIn, sent } = props
  const { phone } = signIn
  const { isUsedUp } = sent
  const { t } = useTranslation('sessions')
  const checkLimit = useLimit(signIn, 'check', phone)
  const sendLimit = useLimit(signIn, 'send', phone, sent.channel)
  const shownLimit = useNewestLimit(signIn, 'send', phone)
  const checkLimitId = useId()
  const sendLimitId = useId()
  const isLocked = isUsedUp || isWaiting(checkLimit)
  const { input, resendArea, code, error, busy, news, verify, change, resend } = useCodeEntry(props, isLocked)
  const { channels, isUndelivered } = useOtherChannels(signIn, sent)
  const isBusy = busy !== undefined
  const sendAgain = () => void resend(sent.channel)

  function submit(event: FormEvent): void {
    event.preventDefault()
    void verify(code)
  }

  return (
    <form className={styles.codeForm} onSubmit={submit} noValidate>
      <SentTo signIn={signIn} sent={sent} />
      <LimitNotice id={checkLimitId} current={checkLimit} />
      <AgentPairing {...{ signIn, isBusy }} limit={checkLimit ?? shownLimit} onSend={sendAgain} />
      <CodeField
        inputRef={input}
        value={code}
        onChange={change}
        error={isUsedUp ? t('code.usedUp') : error}
        hint={t('code.validFor', { count: minutesValid(sent) })}
        isReadOnly={isUsedUp}
        isByEmail={sent.channel === 'email'}
      />
      <Announced>{news}</Announced>
      <Announced>
        {isUndelivered ? t('channels.undelivered') : channels.length > 0 ? t('channels.title') : ''}
      </Announced>
      <LimitNotice id={sendLimitId} current={shownLimit} />
      <div ref={resendArea} tabIndex={-1} className={styles.codeResend}>
        {sent.isEarlier && !isUsedUp ? <p>{t(earlierKey(signIn.role))}</p> : null}
        {!isWaiting(sendLimit) ? (
          <Resend {...{ sent, isBusy }} isNeeded={isUsedUp} onResend={sendAgain} />
        ) : null}
        <OtherChannels
          {...{ signIn, channels, isUndelivered, isBusy }}
          from={signIn.offered?.at}
          onChoose={(channel) => void resend(channel)}
          around={resendArea}
        />
        {signIn.role === 'agent' ? <AgentHelp /> : null}
      </div>
      <Tents />
      <VerifyButton
        {...{ isUsedUp, isLocked }}
        isVerifying={busy === 'verifying'}
        limitId={checkLimit === undefined ? undefined : checkLimitId}
      />
    </form>
  )
}

interface VerifyButtonProps {
  readonly isUsedUp: boolean
  readonly isLocked: boolean
  readonly isVerifying: boolean
  /** What says why it is locked. */
  readonly limitId: string | undefined
}

function VerifyButton({ isUsedUp, isLocked, isVerifying, limitId }: VerifyButtonProps) {
  const { t } = useTranslation('sessions')
  return (
    <div className={buttonStyles.dock}>
      <Button
        type="submit"
        look={isUsedUp ? undefined : 'primary'}
        isWide
        className={isLocked ? styles.isLimited : undefined}
        isBusy={isVerifying || isLocked}
        aria-describedby={limitId}
      >
        {isVerifying ? t('code.verifying') : t('code.verify')}
      </Button>
    </div>
  )
}

/** Tells an agent whom to contact when no code comes: the number may not be registered. */
function AgentHelp() {
  const { t } = useTranslation('sessions')
  const contact = useConfig()?.contact
  if (contact === undefined) return null
  return (
    <p className={styles.codeHelp}>
      {t('agentCode.help')} <ContactLinks contact={contact} />
    </p>
  )
}

function SentTo({ signIn, sent }: CodeFormProps) {
  const { t } = useTranslation('sessions')
  const { channel, isEarlier } = sent
  const isRinging = channel === 'call' && !isEarlier
  return (
    <>
      <p className={styles.intro}>
        <span>{t(sentToKey(signIn.role, sent))}</span>{' '}
        <span className={styles.codePhone}>
          <Ltr>{channel === 'email' ? signIn.email : signIn.phone}</Ltr>
        </span>
        {isRinging ? <span className={styles.codeAnswer}>{t('code.answer')}</span> : null}
      </p>
      <Button
        look="quiet"
        className={styles.codeChange}
        isBusy={signIn.status === 'loading'}
        onClick={signIn.resetOtp}
      >
        {signIn.leave ?? t('code.changeNumber')}
      </Button>
    </>
  )
}

interface ResendProps {
  sent: SentCode
  /** The code is used up: resending is the only next step. */
  isNeeded: boolean
  isBusy: boolean
  onResend: () => void
}

/** Countdown to the next code by the same way, not announced each second; then the button. */
function Resend({ sent, isNeeded, isBusy, onResend }: ResendProps) {
  const { t } = useTranslation('sessions')
  const waitText = useWaitText()
  const seconds = useSecondsUntil(sent.resendAt)
  if (seconds > 0) return <p>{t('code.resendAfter', { time: waitText(seconds) })}</p>
  return (
    <p>
      {isNeeded ? null : <span>{t('code.notReceived')}</span>}{' '}
      <Button
        look={isNeeded ? 'primary' : 'quiet'}
        isWide={isNeeded}
        className={isNeeded ? undefined : styles.codeAgain}
        isBusy={isBusy}
        onClick={onResend}
      >
        {isNeeded ? t('code.sendNew') : t(`code.resend.${sent.channel}`)}
      </Button>
    </p>
  )
}
