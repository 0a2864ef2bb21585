import type { ReactNode } from 'react'
import { Scene, type SceneName } from './scene.tsx'
import './states.css'

interface EmptyStateProps {
  title: string
  text?: string
  scene?: SceneName
  /** A link or button to the next step. */
  action?: ReactNode
}

export function EmptyState({ title, text, scene = 'empty', action }: EmptyStateProps) {
  return (
    <div className="state">
      <Scene name={scene} />
      <p className="state-title">{title}</p>
      {text === undefined ? null : <p className="state-text">{text}</p>}
      {action}
    </div>
  )
}
