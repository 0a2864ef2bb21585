import type { ReactNode } from 'react'
import { ground, hill, Scene, thread } from './scene.tsx'
import { State } from './state.tsx'

interface EmptyStateProps {
  title: string
  text?: string
  /** A link or button to the next step. */
  action?: ReactNode
}

export function EmptyState({ action, title, text }: EmptyStateProps) {
  return (
    <State scene={<EmptyScene />} title={title} text={text}>
      {action}
    </State>
  )
}

export function EmptyScene() {
  return (
    <Scene>
      <path {...hill} d="M40 140Q98 122 120 56q22 66 80 84Z" />
      <path d="M12 140h216" />
      <path {...thread} d="M0 22C60 40 80 6 120 22S188 30 240 8" />
      <path {...thread} d="M120 22c-8 10-10 22 0 24s8-14 0-24" />
      <path {...ground} strokeDasharray="5 5" d="M98 68l14-14h16l14 14v54H98Z" />
      <path {...ground} d="M120 61a4 4 0 1 0 0 8a4 4 0 0 0 0-8Z" />
    </Scene>
  )
}
