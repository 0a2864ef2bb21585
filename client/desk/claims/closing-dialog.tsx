import { Flex, Form, Input } from 'antd'
import { call } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { claimOutcomeNames } from '#shared/claims/claims.names.ts'
import { claimOutcomes, claimTextLength } from '#shared/claims/claims.operations.ts'
import type { ClaimOutcome } from '#shared/claims/claims.schemas.ts'
import { closeDeskClaim } from '#shared/desk/claims/desk-claims.operations.ts'
import { ActDialog, ChoiceItem, needed, TextItem, useActForm } from '../act-dialog.tsx'
import { useNotice } from '../notices.tsx'
import type { Over } from '../work/work.rules.ts'
import { useClaimNews } from './claim-news.ts'
import { type DeskClaim, ofClaim, seenOf, useClaimAct } from './claims.queries.ts'
import { halalasOf } from './claims.rules.ts'

interface Fields {
  outcome: ClaimOutcome
  sum?: string
  reference?: string
  text: string
}

interface ClosingDialogProps {
  claim: DeskClaim
  by: string
  over: Over
  onClose: () => void
}

/** Closes a claim with an outcome and a text. A compensation is only recorded here; it is paid elsewhere. */
export function ClosingDialog({ claim, by, over, onClose }: ClosingDialogProps) {
  const { t } = useTranslation('desk-claims')
  const language = useLanguage()
  const showNotice = useNotice()
  const changed = useClaimNews(claim, by)
  const { claimId, number } = claim
  const apply = useClaimAct(claimId)
  const form = useActForm({
    by,
    name: `close claim ${claimId}`,
    act({ outcome, sum = '', reference = '', text }: Fields, key) {
      const halalas = halalasOf(sum)
      const compensation =
        outcome === 'compensated' && halalas !== undefined ? { compensation: { halalas, reference } } : {}
      const body = { outcome, text, ...compensation, ...seenOf(claim), ...over }
      return apply(call(closeDeskClaim, { ...ofClaim(claimId, key), body }))
    },
    onDone({ approval }) {
      showNotice(t(approval ? 'close.asked' : 'close.done', { number }))
      onClose()
    },
  })
  const isPaid = form.values.outcome === 'compensated'
  return (
    <ActDialog
      form={form}
      title={t('close.title', { number })}
      ok={t('close.ok')}
      changed={changed}
      onClose={onClose}
    >
      <p>{t('close.what')}</p>
      {isPaid ? <p>{t('close.two')}</p> : null}
      <ChoiceItem
        name="outcome"
        label={t('close.outcome')}
        options={claimOutcomes.map((value) => ({ value, label: claimOutcomeNames[value][language] }))}
      />
      {isPaid ? (
        <Flex gap="middle" wrap>
          <Form.Item
            name="sum"
            label={t('close.sum')}
            rules={[
              {
                required: true,
                message: t('close.noSum'),
                async validator(_, typed = '') {
                  if (halalasOf(typed) === undefined) throw new Error('no sum')
                },
              },
            ]}
          >
            <Input dir="ltr" inputMode="decimal" maxLength={12} />
          </Form.Item>
          <Form.Item name="reference" label={t('close.reference')} rules={[needed()]}>
            <Input maxLength={100} />
          </Form.Item>
        </Flex>
      ) : null}
      <TextItem name="text" label={t('close.text')} length={{ least: 1, most: claimTextLength.most }} />
    </ActDialog>
  )
}
