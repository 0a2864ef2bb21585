import type { ComponentProps, ReactNode } from 'react'
import { Problem } from './problem.tsx'
import styles from './row.module.css'
import textStyles from './text.module.css'

interface RowProps extends ComponentProps<'div'> {
  readonly name: ReactNode
  readonly text: string
  readonly textId?: string
  /** Why the last press failed. */
  readonly problem?: unknown
  /** What to press. */
  readonly children: ReactNode
}

/** What can be done here, explained, and at the end of the line what to press. */
export function Row({ name, text, textId, problem, children, ...rest }: RowProps) {
  return (
    <div {...rest} className={styles.row}>
      <div className={styles.pair}>
        {name}
        <p id={textId} className={textStyles.hint}>
          {text}
        </p>
        <Problem error={problem} />
      </div>
      {children}
    </div>
  )
}
