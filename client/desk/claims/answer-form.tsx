import { Button, Card, Flex, Form, Input, Segmented } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type Ref, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { claimTextLength } from '#shared/claims/claims.operations.ts'
import { answerDeskClaim } from '#shared/desk/claims/desk-claims.operations.ts'
import { ActState, needed, useActForm } from '../act-dialog.tsx'
import { addNote, useRefresh } from '../actions/actions.queries.ts'
import { useKeys } from '../keys.ts'
import { useNotice } from '../notices.tsx'
import pageStyles from '../page.module.css'
import type { Over } from '../work/work.rules.ts'
import { useClaimNews } from './claim-news.ts'
import { type DeskClaim, ofClaim, seenOf, useClaimAct } from './claims.queries.ts'

/** The shortcut to send. Keyboards of every language print it like this. */
const sendKeys = 'Ctrl ↵'
const ways = ['answer', 'question', 'note'] as const
type Way = (typeof ways)[number]

interface AnswerFormProps {
  claim: DeskClaim
  by: string
  over: Over
}

/** The form for an answer or a question to the owner, or a note to colleagues. Each of the three has its own draft. */
export function AnswerForm(props: AnswerFormProps) {
  const { t } = useTranslation('desk-claims')
  const [way, setWay] = useState<Way>('answer')
  const field = useRef<TextAreaRef>(null)
  useKeys({
    n() {
      flushSync(() => setWay('note'))
      field.current?.focus()
    },
  })
  return (
    <Card size="small">
      <Flex vertical gap="small">
        <Segmented
          aria-label={t('way')}
          value={way}
          onChange={setWay}
          options={ways.map((value) => ({ value, label: t(`wayOf.${value}`) }))}
        />
        <WayForm key={way} way={way} field={field} {...props} />
      </Flex>
    </Card>
  )
}

interface WayFormProps extends AnswerFormProps {
  way: Way
  field: Ref<TextAreaRef>
}

function WayForm({ way, field, claim, by, over }: WayFormProps) {
  const { t } = useTranslation('desk-claims')
  const { claimId, orderId } = claim
  const showNotice = useNotice()
  const refresh = useRefresh()
  const apply = useClaimAct(claimId)
  const form = useActForm({
    by,
    name: `claim ${claimId} ${way}`,
    async act({ text }: { text: string }, key) {
      if (way === 'note') {
        await addNote(orderId, text, key)
        refresh()
      } else {
        const question = way === 'question' ? { question: true as const } : {}
        const body = { text, ...question, ...seenOf(claim), ...over }
        await apply(call(answerDeskClaim, { ...ofClaim(claimId, key), body }))
      }
    },
    onDone: () => showNotice(t(`done.${way}`)),
  })
  const changed = useClaimNews(claim, by, Boolean(form.values.text))
  return (
    <Form {...form.props}>
      <Form.Item name="text" rules={[needed()]}>
        <Input.TextArea
          ref={field}
          aria-label={t(`wayOf.${way}`)}
          rows={4}
          maxLength={claimTextLength.most}
        />
      </Form.Item>
      <ActState form={form} changed={changed} />
      <Flex gap="small" align="center" justify="space-between" wrap>
        <span className={pageStyles.small}>{t(way === 'note' ? 'noteHint' : 'answerHint')}</span>
        <kbd dir="ltr">{sendKeys}</kbd>
        <Button type="primary" htmlType="submit" disabled={form.isOff} loading={form.isPending}>
          {t(`send.${way}`)}
        </Button>
      </Flex>
    </Form>
  )
}
