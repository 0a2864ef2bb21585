import type { ReactNode } from 'react'
import type { SceneName } from './scene.tsx'
import { State } from './state.tsx'

interface EmptyStateProps {
  title: string
  text?: string
  scene?: SceneName
  /** A link or button to the next step. */
  action?: ReactNode
}

export function EmptyState({ scene = 'empty', action, title, text }: EmptyStateProps) {
  return (
    <State scene={scene} title={title} text={text}>
      {action}
    </State>
  )
}
