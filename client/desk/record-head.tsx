import type { ReactNode } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import styles from './record-head.module.css'

interface RecordHeadProps {
  /** Where the bag goes. */
  readonly city: string | undefined
  /** Where the record stands. */
  readonly above: ReactNode
  readonly number: string
  /** What is true now, in a word each. */
  readonly marks: ReactNode
  /** What can be done. */
  readonly children: ReactNode
}

/** The head of an order or a claim. */
export function RecordHead({ city, above, number, marks, children }: RecordHeadProps) {
  return (
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
      <div className={styles.line}>{children}</div>
    </header>
  )
}
