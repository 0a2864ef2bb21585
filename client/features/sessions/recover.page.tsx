import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import { call } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { oneTabAtATime } from '#client/platform/one-tab.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { useSecondsUntil } from '#client/platform/time.ts'
import { signedIn } from '#client/session/session.ts'
import { Announced } from '#client/ui/announced.tsx'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Form, useForm } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Problem } from '#client/ui/problem.tsx'
import { HandedOverScene } from '#client/ui/scene.tsx'
import { Tents } from '#client/ui/tents.tsx'
import textStyles from '#client/ui/text.module.css'
import { readEmail } from '#shared/sessions/email-address.ts'
import { recoverAccount, verifyRecovery } from '#shared/sessions/emails.operations.ts'
import styles from './auth.module.css'
import { isCodeComplete } from './code.rules.ts'
import { CodeField } from './code-field.tsx'
import { ContactLinks } from './contact-links.tsx'
import { EmailField } from './email-field.tsx'
import { useWaitText } from './limit-notice.tsx'
import { PhoneField, typedPhoneOf } from './phone-field.tsx'
import { phoneFault } from './phone-text.rules.ts'
import { dropRecovery, readRecovery, type SentRecovery, storeRecovery } from './recovery-draft.ts'
import { phoneLengthFault, useFaultText } from './sign-in-errors.ts'
import { SignInLayout } from './sign-in-form.tsx'
import { loadNumbers, phoneNumberOf } from './use-phone-number.ts'

/** The page for users who can no longer use the phone number of their account. */
export function RecoverPage({ onMoved }: { readonly onMoved: () => void }) {
  const { t } = useTranslation('emails')
  const [sent, setSent] = useState(readRecovery)
  const [isBack, setIsBack] = useState(false)
  const [first, setFirst] = useState(sent)

  function change(next: SentRecovery | undefined): void {
    if (next) storeRecovery(next)
    else dropRecovery()
    setIsBack(next === undefined)
    setFirst(next ?? sent)
    setSent(next)
  }

  return (
    <SignInLayout title={t('recovery.title')} picture={<HandedOverScene />} over={null}>
      {sent ? (
        <CodesForm
          sent={sent}
          onSent={change}
          onBack={() => change(undefined)}
          onMoved={() => {
            dropRecovery()
            onMoved()
          }}
        />
      ) : (
        <AskForm first={first} isBack={isBack} onSent={change} />
      )}
    </SignInLayout>
  )
}

/** Asks for both codes. */
async function ask(body: { readonly email: string; readonly phone: string }): Promise<SentRecovery> {
  // Each answer sets the cookie that codes are bound to: two requests at once would invalidate one of the codes.
  const answer = await oneTabAtATime('sign-in-code', () => call(recoverAccount, { body }))
  const now = Date.now()
  return {
    ...body,
    expiresAt: now + answer.expiresInSeconds * 1000,
    resendAt: now + answer.resendInSeconds * 1000,
  }
}

interface AskFormProps {
  /** The address and number that the user entered before, to fill in the form. */
  readonly first: SentRecovery | undefined
  /** True when the user comes back to this form from the codes. */
  readonly isBack: boolean
  readonly onSent: (sent: SentRecovery) => void
}

function AskForm({ first, isBack, onSent }: AskFormProps) {
  const { t } = useTranslation('emails')
  const faultText = useFaultText()
  const phoneId = useId()
  const form = useForm({
    values: { email: first?.email ?? '', phone: typedPhoneOf(first?.phone ?? '') },
    draft: 'recovery',
    limits: ({ phone }) => ({ phone: faultText(phoneLengthFault(phoneNumberOf(phone) ?? phone.text)) }),
    check({ email, phone }) {
      const number = phoneNumberOf(phone)
      return {
        email: readEmail(email) === undefined ? t('invalid') : undefined,
        phone: number === undefined ? undefined : faultText(phoneFault(number)),
      }
    },
    load: loadNumbers,
    send: ({ email, phone }) =>
      ask({ email: readEmail(email) ?? email, phone: phoneNumberOf(phone) ?? phone.text }),
    onSent,
  })
  const { values, isSending } = form
  return (
    <Form form={form} className={classes(layout.stack, layout.gap4, styles.form)} isOpened={isBack}>
      <p className={styles.intro}>{t('recovery.intro')}</p>
      <EmailField form={form} hint={t('recovery.emailHint')} />
      <PhoneField
        id={phoneId}
        value={values.phone}
        onChange={(phone) => form.change({ phone })}
        error={form.faults.phone}
        hint={t('recovery.phoneHint')}
      />
      <Problem error={form.problem} />
      <Help />
      <Tents />
      <div className={buttonStyles.dock}>
        <Button type="submit" look="primary" isWide isBusy={isSending}>
          {isSending ? t('sending') : t('recovery.send')}
        </Button>
      </div>
    </Form>
  )
}

/** Help for users without an e-mail address on their account. In the demo it also says that no e-mail is sent. */
function Help() {
  const { t } = useTranslation('emails')
  const { t: ofSignIn } = useTranslation('sessions')
  const config = useConfig()
  if (config === undefined) return null
  const { contact, demo } = config
  return (
    <>
      <p className={styles.intro}>
        {t('recovery.help')} <ContactLinks contact={contact} />
      </p>
      {demo ? <p className={textStyles.hint}>{ofSignIn('demo')}</p> : null}
    </>
  )
}

type CodeName = 'emailCode' | 'phoneCode'

interface CodesFormProps {
  readonly sent: SentRecovery
  readonly onSent: (sent: SentRecovery) => void
  readonly onBack: () => void
  readonly onMoved: () => void
}

/** Asks for the code of the e-mail, then for that of the phone, and sends both together. */
function CodesForm({ sent, onSent, onBack, onMoved }: CodesFormProps) {
  const { t } = useTranslation('emails')
  const client = useQueryClient()
  const [step, setStep] = useState<CodeName>('emailCode')
  const isLast = step === 'phoneCode'
  const form = useForm({
    values: { emailCode: '', phoneCode: '' },
    check: (values) => ({ [step]: isCodeComplete(values[step]) ? undefined : t('codeInvalid') }),
    send: (body) => call(verifyRecovery, { body }),
    onSent({ user }) {
      signedIn(client, { user })
      onMoved()
    },
  })
  const isBusy = form.isSending || form.isSent
  function goOn(): void {
    if (isLast || !isCodeComplete(form.values.emailCode)) form.send()
    else {
      // An empty code of the phone is no fault before its step.
      form.change({ phoneCode: form.values.phoneCode })
      setStep('phoneCode')
    }
  }

  // The code of the e-mail is refused after that of the phone was typed.
  if (isLast && form.faults.emailCode !== undefined) setStep('emailCode')
  return (
    <Form
      form={form}
      key={step}
      className={classes(layout.stack, layout.gap4, styles.form)}
      isOpened
      onSend={goOn}
    >
      <p className={styles.intro} role="status">
        {t('recovery.sent')}
      </p>
      <Button look="quiet" className={styles.codeChange} onClick={onBack}>
        {t('recovery.back')}
      </Button>
      <CodeField
        form={form}
        name={step}
        label={t(`recovery.${step}`)}
        isByEmail={!isLast}
        hint={t('recovery.codeHint')}
        isReadOnly={isBusy}
      />
      {isLast ? (
        <Button
          look="quiet"
          className={styles.codeChange}
          isBusy={isBusy}
          onClick={() => setStep('emailCode')}
        >
          {t('recovery.emailCodeAgain')}
        </Button>
      ) : null}
      <Resend
        sent={sent}
        onSent={(next) => {
          // Both codes are new.
          form.reset()
          setStep('emailCode')
          onSent(next)
        }}
      />
      {isLast ? null : <NoLetter />}
      <Problem error={form.problem} />
      {isLast ? <p className={styles.intro}>{t('recovery.ends')}</p> : null}
      <Tents />
      <div className={buttonStyles.dock}>
        <Button type="submit" look="primary" isWide isBusy={isBusy}>
          {isLast ? t(isBusy ? 'recovery.confirming' : 'recovery.confirm') : t('recovery.next')}
        </Button>
      </div>
    </Form>
  )
}

/** Offered at once to every user: the server's answer does not reveal whether an e-mail was sent. */
function NoLetter() {
  const { t } = useTranslation('emails')
  const contact = useConfig()?.contact
  return (
    <details>
      <summary className={textStyles.unfold}>{t('recovery.noLetter')}</summary>
      <p className={styles.intro}>
        <span>{t('recovery.noLetterText')}</span>{' '}
        {contact === undefined ? null : <ContactLinks contact={contact} />}
      </p>
    </details>
  )
}

/** Sends both codes again, as soon as the server allows it. */
function Resend({ sent, onSent }: Pick<CodesFormProps, 'sent' | 'onSent'>) {
  const { t } = useTranslation('emails')
  const { t: ofSignIn } = useTranslation('sessions')
  const seconds = useSecondsUntil(sent.resendAt)
  const waitText = useWaitText()
  const { email, phone } = sent
  const again = useSingleMutation({ mutationFn: () => ask({ email, phone }), onSuccess: onSent })
  return (
    <div>
      {seconds > 0 ? (
        <p className={styles.intro}>{ofSignIn('code.resendAfter', { time: waitText(seconds) })}</p>
      ) : (
        <Button
          look="quiet"
          className={styles.codeChange}
          isBusy={again.isPending}
          onClick={() => again.mutate()}
        >
          {again.isPending ? t('sending') : t('recovery.again')}
        </Button>
      )}
      <Problem error={again.error} />
      <Announced>{again.isSuccess ? t('recovery.sent') : ''}</Announced>
    </div>
  )
}
