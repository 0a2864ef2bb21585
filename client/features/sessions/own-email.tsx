import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { ownAccountQuery } from '#client/session/own-account.query.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { EmailText } from '#client/ui/contact-text.tsx'
import { Fact } from '#client/ui/fact.tsx'
import { focusPlace } from '#client/ui/focus.ts'
import { Form, useForm, useFormInPlace } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Problem } from '#client/ui/problem.tsx'
import rowStyles from '#client/ui/row.module.css'
import textStyles from '#client/ui/text.module.css'
import { readEmail } from '#shared/sessions/email-address.ts'
import { addEmail, removeEmail, verifyEmail } from '#shared/sessions/emails.operations.ts'
import { isCodeComplete } from './code.rules.ts'
import { CodeField } from './code-field.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { EmailField } from './email-field.tsx'
import styles from './own-email.module.css'
import { type Confirming, useConfirmation } from './use-confirmation.ts'

const draft = 'own-email'

interface OwnEmailProps {
  /** `line`: one line above the payment. `row`: a row of the account page. */
  readonly kind: 'line' | 'row'
  /** The account is deleted: the component does not request the address. */
  readonly isOver?: boolean
}

/**
 * Shows, confirms by a code, and removes the e-mail address of the signed-in user. Renders nothing when accounts cannot have an
 * address.
 */
export function OwnEmail({ kind, isOver = false }: OwnEmailProps) {
  const { t } = useTranslation('emails')
  const queries = useQueryClient()
  const { data, error } = useQuery({ ...ownAccountQuery, enabled: !isOver })
  const { isOpen, isPressed, news, open, close } = useFormInPlace(draft)
  const refresh = () => queries.invalidateQueries({ queryKey: ownAccountQuery.queryKey })
  const remove = useSingleMutation({
    mutationFn: () => call(removeEmail),
    onSuccess: () => close(t('removed')),
    onSettled: refresh,
  })
  const confirmation = useConfirmation()
  const email = data?.success ? data.email : undefined

  const line = classes(layout.split, layout.gap4, kind === 'row' ? rowStyles.row : styles.line)
  if (kind === 'row' && data === undefined && error !== null)
    return (
      <div className={line}>
        <Problem error={error} />
      </div>
    )
  if (email === undefined) return null
  return (
    <div ref={focusPlace} className={line}>
      {isOpen ? (
        <EmailForm
          isPressed={isPressed}
          confirming={confirmation.confirming}
          onCancel={() => close()}
          onProven={async () => {
            await refresh()
            close(t('proven'))
          }}
        />
      ) : (
        <Shown kind={kind} email={email} problem={remove.error}>
          <Button data-start look="quiet" onClick={open}>
            {email === null ? t(kind === 'line' ? 'addLine' : 'add') : t('change')}
          </Button>
          {email !== null && kind === 'row' ? (
            <Button
              look="quiet"
              isBusy={remove.isPending}
              onClick={() => void confirmation.confirming('email-removal', () => remove.mutateAsync())}
            >
              {t('remove')}
            </Button>
          ) : null}
        </Shown>
      )}
      <Announced>{news}</Announced>
      <ConfirmDialog confirmation={confirmation} />
    </div>
  )
}

interface ShownProps {
  readonly kind: OwnEmailProps['kind']
  readonly email: string | null
  readonly problem: unknown
  /** The buttons of the row. */
  readonly children: ReactNode
}

function Shown({ kind, email, problem, children }: ShownProps) {
  const { t } = useTranslation('emails')
  return (
    <>
      <div className={classes(rowStyles.pair, styles.pair)}>
        {email === null && kind === 'line' ? null : (
          <dl>
            <Fact name={t(kind === 'line' ? 'alsoTo' : 'email')}>
              {email === null ? (
                <span className={classes(textStyles.hint, styles.purpose)}>{t('text')}</span>
              ) : (
                <EmailText>{email}</EmailText>
              )}
            </Fact>
          </dl>
        )}
        <Problem error={problem} />
      </div>
      <div className={classes(layout.cluster, layout.gap3)}>{children}</div>
    </>
  )
}

interface EmailFormProps {
  readonly isPressed: boolean
  readonly confirming: Confirming
  readonly onCancel: () => void
  readonly onProven: () => Promise<void>
}

/** The form for a new address: the user confirms it by a code to the phone number, then by the code sent to the address. */
function EmailForm({ isPressed, confirming, onCancel, onProven }: EmailFormProps) {
  const [address, setAddress] = useState('')
  const [isSent, setIsSent] = useState(false)
  return isSent ? (
    <CodeForm email={address} onCancel={() => setIsSent(false)} onProven={onProven} />
  ) : (
    <AddressForm
      first={address}
      isPressed={isPressed || address !== ''}
      confirming={confirming}
      onCancel={onCancel}
      onSent={(email) => {
        setAddress(email)
        setIsSent(true)
      }}
    />
  )
}

interface AddressFormProps extends Pick<EmailFormProps, 'isPressed' | 'confirming' | 'onCancel'> {
  readonly first: string
  readonly onSent: (email: string) => void
}

function AddressForm({ first, isPressed, confirming, onCancel, onSent }: AddressFormProps) {
  const { t } = useTranslation('emails')
  const form = useForm({
    values: { email: first },
    draft,
    check: ({ email }) => ({ email: readEmail(email) === undefined ? t('invalid') : undefined }),
    async send(typed) {
      const email = readEmail(typed.email) ?? ''
      await call(addEmail, { body: { email } })
      return email
    },
    within: (run) => confirming('email', run),
    onSent,
  })
  const { isSending, problem } = form

  function cancel(): void {
    form.reset()
    onCancel()
  }

  return (
    <Form
      form={form}
      className={classes(layout.stack, layout.gap3, styles.form)}
      isOpened={isPressed}
      onCancel={cancel}
    >
      <EmailField form={form} hint={t('hint')} />
      <Problem error={problem} />
      <div className={classes(layout.cluster, layout.gap3)}>
        <Button type="submit" isBusy={isSending}>
          {isSending ? t('sending') : t('send')}
        </Button>
        <Button look="quiet" isBusy={isSending} onClick={cancel}>
          {t('cancel')}
        </Button>
      </div>
    </Form>
  )
}

interface CodeFormProps extends Pick<EmailFormProps, 'onCancel' | 'onProven'> {
  readonly email: string
}

function CodeForm({ email, onCancel, onProven }: CodeFormProps) {
  const { t } = useTranslation('emails')
  const form = useForm({
    values: { code: '' },
    check: ({ code }) => ({ code: isCodeComplete(code) ? undefined : t('codeInvalid') }),
    send: ({ code }) => call(verifyEmail, { body: { code } }),
    onSent: onProven,
  })
  const isBusy = form.isSending || form.isSent
  return (
    <Form form={form} className={classes(layout.stack, layout.gap3, styles.form)} isOpened>
      <p role="status">
        {t('sentTo')} <EmailText>{email}</EmailText>
      </p>
      <CodeField
        form={form}
        name="code"
        isByEmail
        hint={t('look')}
        isReadOnly={isBusy}
        onComplete={(code) => form.send({ code })}
      />
      <Problem error={form.problem} />
      <div className={classes(layout.cluster, layout.gap3)}>
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? t('checking') : t('check')}
        </Button>
        <Button look="quiet" isBusy={isBusy} onClick={onCancel}>
          {t('otherEmail')}
        </Button>
      </div>
    </Form>
  )
}
