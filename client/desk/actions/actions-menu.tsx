import { Button } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { DeskIcon } from '../desk-icon.tsx'
import { useKeys } from '../keys.ts'
import type { Act } from './actions.rules.ts'

/** Loaded with the first press: antd's menu is not small. */
const ActionsDropdown = lazy(async () => ({
  default: (await import('./actions-dropdown.tsx')).ActionsDropdown,
}))

export interface ActionsMenuProps {
  readonly order: DeskOrder
  readonly roles: readonly StaffRole[]
  readonly onAct: (act: Act) => void
}

/** What can be done about an order; what cannot be done now says why. */
export function ActionsMenu(props: ActionsMenuProps) {
  const { t } = useTranslation('desk-actions')
  const [isOpen, setIsOpen] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const isOffline = useConnection() === 'offline'
  const opener = useRef<HTMLButtonElement>(null)
  const open = () => {
    setIsAsked(true)
    setIsOpen(true)
  }
  useKeys({ a: () => !isOffline && open() })
  const button = (onClick?: () => void) => (
    <Button ref={opener} aria-haspopup="menu" aria-expanded={isOpen} disabled={isOffline} onClick={onClick}>
      {t('title')} <DeskIcon name="chevron" />
    </Button>
  )
  // What is chosen leaves with the menu: its dialog gives the focus back to the button.
  const onAct = (act: Act) => {
    opener.current?.focus()
    props.onAct(act)
  }
  if (!isAsked) return button(open)
  return (
    <Suspense fallback={button()}>
      <ActionsDropdown {...props} onAct={onAct} isOpen={isOpen} onOpen={setIsOpen} isOff={isOffline}>
        {button()}
      </ActionsDropdown>
    </Suspense>
  )
}
