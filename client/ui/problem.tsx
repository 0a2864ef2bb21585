import { problemText } from '#client/platform/call.ts'
import './note.css'

interface ProblemProps {
  /** Any thrown value; nothing is shown without one. */
  readonly error: unknown
  readonly className?: string
}

/** Why a call failed, beside the button that made it. */
export function Problem({ error, className = '' }: ProblemProps) {
  if (error === null || error === undefined) return null
  return (
    <p className={`problem ${className}`} role="alert">
      {problemText(error)}
    </p>
  )
}
