import { Drawer } from 'antd'
import type { ReactNode } from 'react'

const rootElement = () => document.getElementById('root') ?? document.body

interface AsideDrawerProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What is beside an order, on a narrow screen. */
export function AsideDrawer({ title, onClose, children }: AsideDrawerProps) {
  return (
    <Drawer
      open
      size={360}
      title={title}
      onClose={onClose}
      // Beside what the policy refuses: in the body it would write a style sheet against scrolling.
      getContainer={rootElement}
      destroyOnHidden
    >
      {children}
    </Drawer>
  )
}
