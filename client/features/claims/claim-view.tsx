import { useId, useState } from 'react'
import { problemText } from '#client/platform/call.ts'
import { formatMomentInBoth } from '#client/platform/dates.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { isTransient } from '#client/platform/query-client.ts'
import { useNow } from '#client/platform/time.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Form, useForm } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { Note } from '#client/ui/note.tsx'
import { Overlay } from '#client/ui/overlay.tsx'
import { Problem } from '#client/ui/problem.tsx'
import textStyles from '#client/ui/text.module.css'
import { claimTextLength, photoNumbers, readPhoto, reopenDays } from '#shared/claims/claims.operations.ts'
import type { Claim } from '#shared/claims/claims.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { ClaimName, ClaimStatus } from './claim-words.tsx'
import styles from './claims.module.css'
import { useClaimActions } from './claims.queries.ts'
import { mayWrite, statusOf } from './claims.rules.ts'
import { PhotoField } from './photo-field.tsx'
import { TextAreaField } from './text-area-field.tsx'

interface ClaimViewProps {
  readonly orderId: string
  readonly claim: Claim
}

const tones = { OPEN: 'moving', ANSWERED: 'waiting', CLOSED: 'over' } as const
const everyMs = 60_000

/** One claim: its status, the conversation, and the owner's actions. */
export function ClaimView({ orderId, claim }: ClaimViewProps) {
  const { t } = useTranslation('claims')
  const titleId = useId()
  const actions = useClaimActions(orderId, claim.claimId)
  const now = useNow(everyMs)
  const isClosed = claim.state === 'CLOSED'
  const [isDisagreeing, setIsDisagreeing] = useState(false)
  const canWrite = mayWrite(claim, now)
  return (
    <article className={classes(layout.stack, layout.gap4, styles.claim)} aria-labelledby={titleId}>
      <header className={classes(layout.split, layout.gap2)}>
        <h2 id={titleId}>
          <ClaimName claim={claim} />
        </h2>
        <Badge
          tone={tones[claim.state] ?? 'moving'}
          text={t(`state.${statusOf(claim) === 'question' ? 'question' : claim.state}`)}
        />
      </header>
      <Status claim={claim} />
      <Conversation messages={claim.messages} />
      <Photos claim={claim} actions={actions} />
      {canWrite && (!isClosed || isDisagreeing) ? (
        <Reply claim={claim} write={actions.write} onSent={() => setIsDisagreeing(false)} />
      ) : null}
      {isClosed && canWrite && !isDisagreeing ? (
        <Button className={styles.start} onClick={() => setIsDisagreeing(true)}>
          {t(claim.outcome === 'withdrawn' ? 'reopen' : 'disagree')}
        </Button>
      ) : null}
      {isClosed ? null : <Withdraw claim={claim} withdraw={actions.withdraw} />}
    </article>
  )
}

/** The status, and the amount of a compensation. The authority is named only after a deadline of ours has passed. */
function Status({ claim }: { readonly claim: Claim }) {
  const { t } = useTranslation('claims')
  const language = useLanguage()
  const { compensation } = claim
  return (
    <p className={styles.status} role="status">
      <ClaimStatus claim={claim} />
      {compensation === undefined ? null : (
        <span>
          {' '}
          <span>{`${t('status.compensation')} ${formatMoney(compensation.halalas, language)}`}</span>
          {compensation.reference === null ? null : (
            <span>
              {' · '}
              <Ltr>{compensation.reference}</Ltr>
            </span>
          )}
        </span>
      )}
      {statusOf(claim) === 'late' ? (
        <span>
          {' '}
          {t('status.authority')} <Ltr>19929</Ltr>
        </span>
      ) : null}
    </p>
  )
}

function Conversation({ messages }: Pick<Claim, 'messages'>) {
  const { t } = useTranslation('claims')
  const language = useLanguage()
  return (
    <ol className={classes(layout.stack, layout.gap3, styles.messages)} aria-label={t('conversation')}>
      {messages.map(({ at, from, text }) => (
        <li key={`${at} ${text}`} data-from={from}>
          <p className={textStyles.quiet}>
            <b>{from === 'you' ? t('you') : brand.name[language]}</b>{' '}
            <time dateTime={at}>{formatMomentInBoth(at, language)}</time>
          </p>
          <p className={styles.said} dir="auto">
            {text}
          </p>
        </li>
      ))}
    </ol>
  )
}

type Actions = ReturnType<typeof useClaimActions>

function Photos({ claim, actions: { addPhoto } }: { readonly claim: Claim; readonly actions: Actions }) {
  const { t } = useTranslation('claims')
  const hrefs = claim.photos.map((number) => operationHref(readPhoto, { claimId: claim.claimId, number }))
  if (claim.state === 'CLOSED')
    return hrefs.length === 0 ? null : (
      <div className={classes(layout.cluster, layout.gap3)}>
        {hrefs.map((href, index) => (
          <figure key={href} className={styles.photo}>
            <img src={href} alt={t('photos.photo', { number: index + 1 })} />
          </figure>
        ))}
      </div>
    )
  return (
    <PhotoField
      photos={hrefs}
      isBusy={addPhoto.isPending}
      error={addPhoto.isError ? problemText(addPhoto.error) : undefined}
      onAdd={({ bytes }) => {
        const number = photoNumbers.find((each) => !claim.photos.includes(each))
        if (number !== undefined) addPhoto.mutate({ number, bytes })
      }}
    />
  )
}

interface ReplyProps {
  readonly claim: Claim
  readonly write: Actions['write']
  readonly onSent: () => void
}

/** A message to support. After an answer or the closing, it opens the claim again. */
function Reply({ claim, write, onSent }: ReplyProps) {
  const { t } = useTranslation('claims')
  const [news, setNews] = useState('')
  const form = useForm({
    values: { text: '' },
    draft: `claim-${claim.claimId}`,
    check: ({ text }) => ({ text: text.trim() === '' ? t('reply.empty') : undefined }),
    send: ({ text }) => write(text.trim()),
    onSent() {
      form.reset()
      setNews(t('reply.sent'))
      onSent()
    },
  })
  const { problem, isSending } = form
  return (
    <Form form={form} className={classes(layout.stack, layout.gap4)}>
      <TextAreaField
        form={form}
        name="text"
        label={t(claim.state === 'CLOSED' && claim.outcome !== 'withdrawn' ? 'reply.why' : 'reply.label')}
        rows={3}
        maxLength={claimTextLength.most}
        onInput={() => setNews('')}
      />
      <Problem error={problem} />
      {isTransient(problem) ? <p className={textStyles.quiet}>{t('kept')}</p> : null}
      <Button className={styles.start} type="submit" isBusy={isSending}>
        {isSending ? t('reply.sending') : t('reply.send')}
      </Button>
      <Announced>{news}</Announced>
    </Form>
  )
}

function Withdraw({ claim, withdraw }: { readonly claim: Claim; readonly withdraw: Actions['withdraw'] }) {
  const { t } = useTranslation('claims')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button look="quiet" className={styles.start} onClick={() => setIsOpen(true)}>
        {t('withdraw.open')}
      </Button>
      {isOpen ? <WithdrawDialog claim={claim} withdraw={withdraw} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

interface WithdrawDialogProps {
  readonly claim: Claim
  readonly withdraw: Actions['withdraw']
  readonly onClose: () => void
}

function WithdrawDialog({ claim, withdraw, onClose }: WithdrawDialogProps) {
  const { t } = useTranslation('claims')
  return (
    <Overlay
      kind="dialog"
      title={t('withdraw.title', { number: claim.number })}
      onClose={onClose}
      isLocked={withdraw.isPending}
    >
      <p>{t('withdraw.text', { count: reopenDays })}</p>
      {withdraw.isError ? (
        <Note tone="pending" icon="alert" role="alert">
          {problemText(withdraw.error)}
        </Note>
      ) : null}
      <div className={classes(layout.stack, layout.gap2)}>
        <Button
          isWide
          isBusy={withdraw.isPending}
          onClick={() => withdraw.mutate(undefined, { onSuccess: onClose })}
        >
          {withdraw.isPending ? t('withdraw.withdrawing') : t('withdraw.confirm')}
        </Button>
        {/* `data-start` takes the focus. Otherwise the browser would focus the first button, which withdraws. */}
        <Button look="primary" isWide isBusy={withdraw.isPending} onClick={onClose} data-start>
          {t('withdraw.keep')}
        </Button>
      </div>
    </Overlay>
  )
}
