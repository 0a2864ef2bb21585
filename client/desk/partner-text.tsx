import { Flex } from 'antd'
import { CopyButton } from './copy-button.tsx'
import pageStyles from './page.module.css'

/** A text in English that the operator sends to the shipping partner, and a button that copies it. */
export const PartnerText = ({ text }: { text: string }) => (
  <Flex vertical align="start" gap="small">
    <p lang="en" dir="ltr" className={`${pageStyles.inset} ${pageStyles.typed}`}>
      {text}
    </p>
    <CopyButton text={text} />
  </Flex>
)
