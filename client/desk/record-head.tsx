import { Flex } from 'antd'
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
  <Flex component="header" wrap align="start" gap="small">
    <span className={styles.city}>
      <CityBlock city={city} />
    </span>
    <Flex vertical flex="1 1 20rem" gap={4}>
      {above}
      <Flex wrap align="center" gap="small">
        <h1>
          <Ltr>{number}</Ltr>
        </h1>
        {marks}
      </Flex>
    </Flex>
    {children && (
      <Flex wrap align="center" gap="small">
        {children}
      </Flex>
    )}
  </Flex>
)
