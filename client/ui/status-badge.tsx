import { Fragment } from 'react'
import './status-badge.css'

interface StatusBadgeProps {
  /** `good` is green, `waiting` yellow; the word carries the meaning, the colour only repeats it. */
  readonly tone: 'good' | 'waiting'
  readonly text: string
}

export function StatusBadge({ tone, text }: StatusBadgeProps) {
  return (
    <span className={`status-badge status-badge-${tone}`}>
      <bdi>
        {/* A status this app does not know is one long word: it may break after its underscores. */}
        {text.split(/(?<=_)/).map((part, index) => (
          <Fragment key={part}>
            {index === 0 ? null : <wbr />}
            {part}
          </Fragment>
        ))}
      </bdi>
    </span>
  )
}
