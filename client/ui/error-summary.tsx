import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorTitle } from './page.tsx'
import './error-summary.css'
import './ui.texts.ts'

export interface FieldProblem {
  /** Of the control that takes the focus when the line is followed. */
  readonly fieldId: string
  /** The words that also stand at the field. */
  readonly message: string
}

interface ErrorSummaryProps {
  /** In the order of the fields; nothing is drawn while it is empty. */
  readonly problems: readonly FieldProblem[]
  /** Counts the refused attempts: each one takes the focus here, so that slow eyes and screen readers start here. */
  readonly attempt: number
}

/** Everything that keeps a form from being sent, above the form, each line leading to its field. */
export function ErrorSummary({ problems, attempt }: ErrorSummaryProps) {
  const { t } = useTranslation('ui')
  const titleId = useId()
  const box = useRef<HTMLElement>(null)
  const isShown = problems.length > 0
  useErrorTitle(isShown)

  useEffect(() => {
    if (attempt > 0) box.current?.focus()
  }, [attempt])

  if (!isShown) return null

  function follow(event: MouseEvent, fieldId: string): void {
    // An address with a fragment would be one more step for Back.
    event.preventDefault()
    document.getElementById(fieldId)?.focus()
  }

  return (
    <section ref={box} className="error-summary" tabIndex={-1} aria-labelledby={titleId}>
      <h2 className="error-summary-title" id={titleId}>
        {t('errors.title')}
      </h2>
      <ul>
        {problems.map(({ fieldId, message }) => (
          <li key={message}>
            <a href={`#${fieldId}`} onClick={(event) => follow(event, fieldId)}>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
