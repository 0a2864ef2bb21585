import { Alert, Button, Input, Segmented } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type FormEvent, useRef, useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { claimTextLength } from '#shared/claims/claims.operations.ts'
import { useNote } from '../actions/actions.queries.ts'
import { useDraft } from '../drafts.ts'
import { isSendKey, useKeys } from '../keys.ts'
import pageStyles from '../page.module.css'
import { say } from '../said.tsx'
import { Problem } from '../states.tsx'
import type { Over } from '../work/work.rules.ts'
import styles from './claim.module.css'
import { useClaimNews } from './claim-news.ts'
import { type DeskClaim, seenOf, useAnswer } from './claims.queries.ts'

/** As they stand on keyboards of every language. */
const sendKeys = 'Ctrl ↵'
const ways = ['answer', 'question', 'note'] as const

interface AnswerFormProps {
  readonly claim: DeskClaim
  readonly by: string
  readonly over: Over
}

/** Writes to the owner, or a note to colleagues; each way keeps its own draft. */
export function AnswerForm({ claim, by, over }: AnswerFormProps) {
  const { t } = useTranslation('desk-claims')
  const { t: desk } = useTranslation('desk')
  const { claimId, orderId } = claim
  const [way, setWay] = useState<(typeof ways)[number]>('answer')
  const [text, setText] = useDraft(by, `claim ${claimId} ${way}`)
  const field = useRef<TextAreaRef>(null)
  const isOffline = useConnection() === 'offline'
  const answer = useAnswer(claimId)
  const note = useNote(orderId)
  const { isPending, error } = way === 'note' ? note : answer
  const news = useClaimNews(claim, by, text !== '')
  useKeys({
    n: () => {
      setWay('note')
      field.current?.focus()
    },
  })
  const onSuccess = () => {
    setText('')
    say(t(`done.${way}`))
  }
  function send(event?: FormEvent) {
    event?.preventDefault()
    const typed = text.trim()
    if (typed === '' || isOffline) return
    if (way === 'note') note.send(typed, onSuccess)
    else
      answer.send(
        { text: typed, ...(way === 'question' && { question: true as const }), ...seenOf(claim), ...over },
        onSuccess,
      )
  }
  return (
    <form className={styles.answer} onSubmit={send}>
      <Segmented
        aria-label={t('way')}
        value={way}
        onChange={setWay}
        options={ways.map((value) => ({ value, label: t(`wayOf.${value}`) }))}
      />
      <Input.TextArea
        ref={field}
        aria-label={t(`wayOf.${way}`)}
        rows={4}
        maxLength={claimTextLength.most}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => isSendKey(event) && send()}
      />
      {news === undefined ? null : (
        <Alert type="warning" showIcon role="alert" title={desk('act.changed', { what: news })} />
      )}
      <Problem error={error} />
      <div className={styles.foot}>
        <span className={pageStyles.small}>{t(way === 'note' ? 'noteHint' : 'answerHint')}</span>
        <kbd dir="ltr">{sendKeys}</kbd>
        <Button
          type="primary"
          htmlType="submit"
          disabled={isOffline || text.trim() === ''}
          loading={isPending}
        >
          {t(`send.${way}`)}
        </Button>
      </div>
    </form>
  )
}
