import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { ownAccountQuery } from '#client/session/own-account.query.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Form, useForm } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Overlay } from '#client/ui/overlay.tsx'
import { Tents } from '#client/ui/tents.tsx'
import textStyles from '#client/ui/text.module.css'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import styles from './auth.module.css'
import { CodeForm } from './code-dialog.tsx'
import { isWaiting, LimitNotice, useLimit, useNewestLimit } from './limit-notice.tsx'
import { OtherChannels } from './other-channels.tsx'
import { toastRefusal, useFailureToast } from './sign-in-errors.ts'
import type { Confirmation } from './use-confirmation.ts'

/** Open while a request waits for its code: says why, sends the code and takes it. */
export function ConfirmDialog({ confirmation }: { readonly confirmation: Confirmation }) {
  const { t } = useTranslation('sessions')
  const { purpose, code, status, resetOtp } = confirmation
  if (purpose === undefined) return null
  return (
    <Overlay
      kind="full"
      title={code === null ? t('confirm.title') : t('code.title')}
      onClose={resetOtp}
      isLocked={status === 'loading'}
    >
      {code === null ? (
        <AskForm confirmation={confirmation} purpose={purpose} />
      ) : (
        <CodeStep confirmation={confirmation} code={code} />
      )}
    </Overlay>
  )
}

function CodeStep({
  confirmation,
  code,
}: {
  readonly confirmation: Confirmation
  readonly code: NonNullable<Confirmation['code']>
}) {
  const { t } = useTranslation('sessions')
  const { data: own } = useQuery(ownAccountQuery)
  const email = (own?.success && own.email) || ''
  return <CodeForm signIn={{ ...confirmation, email, leave: t('confirm.cancel') }} sent={code} />
}

interface AskFormProps {
  readonly confirmation: Confirmation
  readonly purpose: ConfirmationPurpose
}

function AskForm({ confirmation, purpose }: AskFormProps) {
  const { t } = useTranslation('sessions')
  const config = useConfig()
  const { phone, status, offered, requestCode, resetOtp } = confirmation
  const limitId = useId()
  const limit = useLimit(confirmation, 'send', phone)
  const shownLimit = useNewestLimit(confirmation, 'send', phone)
  const form = useForm({
    values: { channel: undefined as SendChannel | undefined },
    send: requestCode,
    onRefused: toastRefusal,
  })
  const isSending = status === 'loading'
  useFailureToast(true)

  return (
    <Form
      form={form}
      className={classes(layout.stack, layout.gap4, styles.form)}
      onSend={() => {
        if (!isWaiting(limit)) form.send()
      }}
    >
      <p className={styles.intro}>
        <span>{t(`confirm.purpose.${purpose}`)}</span>{' '}
        <span className={styles.codePhone}>
          <PhoneText>{phone}</PhoneText>
        </span>
      </p>
      <Button look="quiet" className={styles.codeChange} isBusy={isSending} onClick={resetOtp}>
        {t('confirm.cancel')}
      </Button>
      <p className={styles.intro}>{t('confirm.three')}</p>
      <LimitNotice id={limitId} current={shownLimit} />
      <OtherChannels
        signIn={confirmation}
        channels={offered?.channels ?? []}
        from={offered?.at}
        isBusy={isSending}
        onChoose={(channel) => form.send({ channel })}
      />
      {config?.demo ? <p className={textStyles.hint}>{t('demo')}</p> : null}
      <Tents />
      <div className={buttonStyles.dock}>
        <Button
          type="submit"
          look="primary"
          isWide
          className={isWaiting(limit) ? styles.isLimited : undefined}
          isBusy={isSending || isWaiting(limit)}
          aria-describedby={limit === undefined ? undefined : limitId}
          data-start
        >
          {t(isSending ? 'sending' : 'send')}
        </Button>
      </div>
    </Form>
  )
}
