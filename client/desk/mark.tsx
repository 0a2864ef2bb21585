import type { ReactNode } from 'react'
import { DeskIcon, type DeskIconName } from './desk-icon.tsx'
import styles from './mark.module.css'

/** Red and amber never stand without words. */
export type Tone = 'good' | 'waiting' | 'bad' | 'note' | 'plain' | 'person'

interface MarkProps {
  readonly tone: Tone
  readonly icon?: DeskIconName
  readonly children: ReactNode
}

/** A state in a word or two. */
export function Mark({ tone, icon, children }: MarkProps) {
  return (
    <span className={`${styles.mark} ${styles[tone]}`}>
      {icon && <DeskIcon name={icon} />}
      <span>{children}</span>
    </span>
  )
}

/** The drawing of a line, on the ground of its tone. */
export function MarkedIcon({ tone, icon }: { readonly tone: Tone; readonly icon: DeskIconName }) {
  return (
    <span className={`${styles.icon} ${styles[tone]}`}>
      <DeskIcon name={icon} />
    </span>
  )
}
