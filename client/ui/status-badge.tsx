import './status-badge.css'

interface StatusBadgeProps {
  /** `good` is green, `waiting` yellow; the word carries the meaning, the colour only repeats it. */
  readonly tone: 'good' | 'waiting'
  readonly text: string
}

export function StatusBadge({ tone, text }: StatusBadgeProps) {
  return (
    <span className={`status-badge status-badge-${tone}`}>
      <bdi>{text}</bdi>
    </span>
  )
}
