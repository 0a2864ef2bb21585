import type { ReactNode } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import styles from './record-head.module.css'

interface RecordHeadProps {
  /** The destination of the bag. */
  city: string | undefined
  above: ReactNode
  number: string
  /** The states, one word each. */
  marks: ReactNode
  /** Buttons. */
  children?: ReactNode
}

/** The head of an order or a claim. */
export const RecordHead = ({ city, above, number, marks, children }: RecordHeadProps) => (
  <header className={styles.head}>
    <span className={styles.city}>
      <CityBlock city={city} />
    </span>
    <div className={styles.names}>
      {above}
      <div className={styles.line}>
        <h1>
          <Ltr>{number}</Ltr>
        </h1>
        {marks}
      </div>
    </div>
    {children && <div className={styles.line}>{children}</div>}
  </header>
)
