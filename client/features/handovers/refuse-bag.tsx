import { useEffect, useRef, useState } from 'react'
import type { Report } from '#client/entities/handover/outbox.rules.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import {
  longestRefusalText,
  type RefusalReason,
  refusalReasons,
} from '#shared/orders/handovers.operations.ts'
import styles from './handovers.module.css'

/** The agent does not accept the bag: a reason, in words only where none of the list is right. */
export function RefuseBag({ onRefuse }: { readonly onRefuse: (report: Report) => void }) {
  const { t } = useTranslation('handovers')
  const [isOpen, setIsOpen] = useState(false)
  return isOpen ? (
    <Reasons onRefuse={onRefuse} onCancel={() => setIsOpen(false)} />
  ) : (
    <Button look="quiet" onClick={() => setIsOpen(true)}>
      {t('refuse.open')}
    </Button>
  )
}

interface ReasonsProps {
  readonly onRefuse: (report: Report) => void
  readonly onCancel: () => void
}

/** It appears because it was chosen, perhaps below the edge of the screen. */
const focusOnce = (field: HTMLInputElement | null) => field?.focus()

function Reasons({ onRefuse, onCancel }: ReasonsProps) {
  const { t } = useTranslation('handovers')
  const legend = useRef<HTMLLegendElement>(null)
  const [reason, setReason] = useState<RefusalReason>()
  const [text, setText] = useState('')
  const words = text.trim()
  const isComplete = reason !== undefined && (reason !== 'other' || words !== '')
  useEffect(() => {
    legend.current?.focus()
    legend.current?.parentElement?.scrollIntoView?.({ block: 'nearest' })
  }, [])

  function send(): void {
    if (reason === undefined) return
    onRefuse({ kind: 'not-accepted', reason, ...(reason === 'other' && { text: words }) })
  }

  return (
    <fieldset className={styles.reasons}>
      <legend ref={legend} tabIndex={-1} className={styles.reasonsTitle}>
        {t('refuse.title')}
      </legend>
      <div className={styles.reasonChips}>
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
              ref={focusOnce}
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
