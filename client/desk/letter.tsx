import { Badge, Flex } from 'antd'
import type { ReactNode } from 'react'

/** The first letter of an operator's name, and beside it the name or a sentence with it. */
export const Letter = ({ name, isYou, children }: { name: string; isYou?: boolean; children: ReactNode }) => (
  <Flex component="span" align="center" gap="small">
    <Badge
      aria-hidden="true"
      title={false}
      count={[...name.trim()][0]}
      color={`var(--${isYou ? 'primary' : 'muted'})`}
    />
    <span>{children}</span>
  </Flex>
)
