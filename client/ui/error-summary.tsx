import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorTitle } from './page.tsx'
import './error-summary.css'
import './ui.texts.ts'

export interface FieldProblem {
  /** Id of the control the link focuses. */
  readonly fieldId: string
  /** The message that is also shown at the field. */
  readonly message: string
}

interface ErrorSummaryProps {
  /** In the order of the fields; nothing is rendered when empty. */
  readonly problems: readonly FieldProblem[]
  /** Number of refused attempts; each one moves the focus to the summary. */
  readonly attempt: number
}

/** All problems of a form, each linked to its field. */
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
    // A fragment in the address would add a history entry.
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
