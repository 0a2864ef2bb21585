import { Button } from 'antd'
import { type ReactNode, Suspense, useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { DeskIcon, type DeskIconName } from './desk-icon.tsx'

interface DialogButtonProps {
  text: string
  icon?: DeskIconName
  /** Renders the dialog, whose file may load only now. */
  children: (close: () => void) => ReactNode
}

/** A small button that opens a dialog. */
export function DialogButton({ text, icon, children }: DialogButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isOffline = useConnection() === 'offline'
  return (
    <>
      <Button
        size="small"
        icon={icon && <DeskIcon name={icon} />}
        disabled={isOffline}
        onClick={() => setIsOpen(true)}
      >
        {text}
      </Button>
      <Suspense fallback={null}>{isOpen ? children(() => setIsOpen(false)) : null}</Suspense>
    </>
  )
}
