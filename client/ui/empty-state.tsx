import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import './states.css'

interface EmptyStateProps {
  title: string
  text?: string
  /** A link or button to the next step. */
  action?: ReactNode
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className="state">
      <span className="state-picture">
        <Icon name="bag" />
      </span>
      <p className="state-title">{title}</p>
      {text === undefined ? null : <p className="state-text">{text}</p>}
      {action}
    </div>
  )
}
