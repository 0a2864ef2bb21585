import type { ReactNode } from 'react'
import textStyles from './text.module.css'

interface FactProps {
  readonly name: string
  readonly children: ReactNode
}

/** A name and its value, in a list of them (`dl`). */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt className={textStyles.quiet}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
