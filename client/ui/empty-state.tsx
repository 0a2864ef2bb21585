import type { ReactNode } from 'react'
import { Scene, type SceneName } from './scene.tsx'
import styles from './states.module.css'

interface EmptyStateProps {
  title: string
  text?: string
  scene?: SceneName
  /** A link or button to the next step. */
  action?: ReactNode
}

export function EmptyState({ title, text, scene = 'empty', action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <Scene name={scene} />
      <p className={styles.stateTitle}>{title}</p>
      {text === undefined ? null : <p className={styles.stateText}>{text}</p>}
      {action}
    </div>
  )
}
