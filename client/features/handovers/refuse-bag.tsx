import { useState } from 'react'
import type { Report } from '#client/entities/handover/outbox.rules.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import { takeFocus } from '#client/ui/focus.ts'
import layout from '#client/ui/layout.module.css'
import {
  longestRefusalText,
  type RefusalReason,
  refusalReasons,
} from '#shared/orders/handovers.operations.ts'
import styles from './handovers.module.css'

/** The agent does not accept the bag and chooses a reason. A free text is asked for only when no listed reason fits. */
export function RefuseBag({ onRefuse }: { readonly onRefuse: (report: Report) => void }) {
  const { t } = useTranslation('handovers')
  const [isOpen, setIsOpen] = useState(false)
  return isOpen ? (
    <Reasons onRefuse={onRefuse} onCancel={() => setIsOpen(false)} />
  ) : (
    <Button data-start look="quiet" onClick={() => setIsOpen(true)}>
      {t('refuse.open')}
    </Button>
  )
}

interface ReasonsProps {
  readonly onRefuse: (report: Report) => void
  readonly onCancel: () => void
}

/** The reasons appear below the edge of a small screen: scroll to them. */
function startReasons(legend: HTMLElement | null): void {
  takeFocus(legend)
  legend?.parentElement?.scrollIntoView?.({ block: 'nearest' })
}

function Reasons({ onRefuse, onCancel }: ReasonsProps) {
  const { t } = useTranslation('handovers')
  const [reason, setReason] = useState<RefusalReason>()
  const [text, setText] = useState('')
  const words = text.trim()
  const isComplete = reason !== undefined && (reason !== 'other' || words !== '')
  function send(): void {
    if (reason === undefined) return
    onRefuse({ kind: 'not-accepted', reason, ...(reason === 'other' && { text: words }) })
  }

  return (
    <fieldset className={`${layout.grid} ${layout.gap3} ${styles.reasons}`}>
      <legend ref={startReasons} tabIndex={-1} data-unringed className={fieldStyles.label}>
        {t('refuse.title')}
      </legend>
      <div className={`${layout.cluster} ${layout.gap2}`}>
        {refusalReasons.map((each) => (
          <button
            key={each}
            type="button"
            className={buttonStyles.chip}
            aria-pressed={each === reason}
            onClick={() => setReason(each)}
          >
            {t(`refuse.reasons.${each}`)}
          </button>
        ))}
      </div>
      {reason === 'other' ? (
        <Field label={t('refuse.text')}>
          {(control) => (
            <input
              {...control}
              ref={takeFocus}
              className={fieldStyles.input}
              autoComplete="off"
              maxLength={longestRefusalText}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
      ) : null}
      <Button isWide disabled={!isComplete} onClick={send}>
        {t('refuse.send')}
      </Button>
      <Button look="quiet" isWide onClick={onCancel}>
        {t('refuse.cancel')}
      </Button>
    </fieldset>
  )
}
