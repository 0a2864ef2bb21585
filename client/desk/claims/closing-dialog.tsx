import { Input, Radio } from 'antd'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { claimOutcomeNames } from '#shared/claims/claims.names.ts'
import { claimOutcomes, claimTextLength } from '#shared/claims/claims.operations.ts'
import type { ClaimOutcome } from '#shared/claims/claims.schemas.ts'
import { ActDialog } from '../act-dialog.tsx'
import styles from '../actions/actions.module.css'
import { useDraftFields } from '../drafts.ts'
import { Labelled } from '../labelled.tsx'
import { say } from '../said.tsx'
import type { Over } from '../work/work.rules.ts'
import { useClaimNews } from './claim-news.ts'
import { type DeskClaim, seenOf, useClosing } from './claims.queries.ts'
import { halalasOf } from './claims.rules.ts'

interface Fields {
  readonly outcome?: ClaimOutcome
  readonly sum: string
  readonly reference: string
}
const noFields: Fields = { sum: '', reference: '' }

interface ClosingDialogProps {
  readonly claim: DeskClaim
  readonly by: string
  readonly over: Over
  readonly onClose: () => void
}

/** Closing needs an outcome and words; a compensation is recorded, and not paid by us. */
export function ClosingDialog({ claim, by, over, onClose }: ClosingDialogProps) {
  const { t } = useTranslation('desk-claims')
  const language = useLanguage()
  const { claimId, number } = claim
  const place = `close claim ${claimId}`
  const [fields, change] = useDraftFields(by, place, noFields)
  const { outcome, sum, reference } = fields
  const closing = useClosing(claimId)
  const halalas = halalasOf(sum)
  const isPaid = outcome === 'compensated'
  return (
    <ActDialog
      title={t('close.title', { number })}
      ok={t('close.ok')}
      by={by}
      place={place}
      label={t('close.text')}
      length={{ least: 1, most: claimTextLength.most }}
      isReady={outcome !== undefined && (!isPaid || (halalas !== undefined && reference.trim() !== ''))}
      changed={useClaimNews(claim, by)}
      act={(text, key) => {
        if (outcome === undefined) throw new Error('a claim is closed with an outcome')
        const compensation =
          isPaid && halalas !== undefined ? { compensation: { halalas, reference: reference.trim() } } : {}
        return closing.mutateAsync({
          body: { outcome, text, ...compensation, ...seenOf(claim), ...over },
          key,
        })
      }}
      onDone={({ approval }) => {
        say(t(approval ? 'close.asked' : 'close.done', { number }))
        onClose()
      }}
      onClose={onClose}
    >
      <p>{t('close.what')}</p>
      {isPaid ? <p>{t('close.two')}</p> : null}
      <Radio.Group
        vertical
        aria-label={t('close.outcome')}
        value={outcome}
        onChange={({ target }) => change({ outcome: target.value })}
        options={claimOutcomes.map((value) => ({ value, label: claimOutcomeNames[value][language] }))}
      />
      {isPaid ? (
        <div className={styles.fields}>
          <Labelled text={t('close.sum')}>
            <Input
              dir="ltr"
              inputMode="decimal"
              maxLength={12}
              value={sum}
              onChange={({ target }) => change({ sum: target.value })}
            />
          </Labelled>
          <Labelled text={t('close.reference')}>
            <Input
              maxLength={100}
              value={reference}
              onChange={({ target }) => change({ reference: target.value })}
            />
          </Labelled>
        </div>
      ) : null}
    </ActDialog>
  )
}
