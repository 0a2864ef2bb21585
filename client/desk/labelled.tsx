import type { ReactNode } from 'react'
import styles from './labelled.module.css'

interface LabelledProps {
  readonly text: string
  readonly className?: string | undefined
  /** The field. */
  readonly children: ReactNode
}

/** A field under its label. */
export function Labelled({ text, className = styles.field, children }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is among the children, which the rule cannot see
    <label className={className}>
      <span>{text}</span>
      {children}
    </label>
  )
}
