import { Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { dayAndTime, useMinute } from '../moment.tsx'
import styles from './actions.module.css'
import { type Act, type Hindrance, isAct, needsTwo, offeredActs, restOf, textOf } from './actions.rules.ts'

interface ActionsDropdownProps {
  readonly order: DeskOrder
  readonly roles: readonly StaffRole[]
  readonly onAct: (act: Act) => void
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly isOff: boolean
  /** The button. */
  readonly children: ReactNode
}

/** What can be done about an order, under its button. */
export function ActionsDropdown({
  order,
  roles,
  onAct,
  isOpen,
  onOpen,
  isOff,
  children,
}: ActionsDropdownProps) {
  const { t } = useTranslation('desk-actions')
  const offered = offeredActs(order, roles, useMinute())
  const item = (act: Act, hindrance: Hindrance | undefined) => ({
    key: act,
    disabled: hindrance !== undefined,
    label: (
      <span className={styles.item}>
        <span>{t(`act.${act}.open`)}</span>
        <ActHint act={act} hindrance={hindrance} order={order} />
      </span>
    ),
  })
  const isHeavy = ({ act }: { readonly act: Act }) =>
    act === 'cancel' || act === 'refund' || act === 'write-off'
  const light = offered.filter((each) => !isHeavy(each))
  const heavy = offered.filter(isHeavy)
  return (
    <Dropdown
      open={isOpen}
      onOpenChange={onOpen}
      trigger={['click']}
      autoFocus
      disabled={isOff}
      menu={{
        items: [
          ...light.map(({ act, hindrance }) => item(act, hindrance)),
          ...(heavy.length === 0 ? [] : [{ type: 'divider' as const }]),
          ...heavy.map(({ act, hindrance }) => ({ ...item(act, hindrance), danger: true })),
        ],
        onClick: ({ key, domEvent }) => {
          // Enter also presses what has the focus after it: the button of the menu.
          domEvent.preventDefault()
          onOpen(false)
          if (isAct(key)) onAct(key)
        },
      }}
    >
      {children}
    </Dropdown>
  )
}

interface HintProps {
  readonly act: Act
  readonly hindrance: Hindrance | undefined
  readonly order: DeskOrder
}

function ActHint({ act, hindrance, order }: HintProps) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  if (hindrance === undefined) {
    const sum = formatMoney(restOf(order), language)
    return <small>{t(textOf(act, 'hint', needsTwo(act, order)), { sum })}</small>
  }
  const why =
    'why' in hindrance
      ? hindrance.why[language]
      : t('handedOver', dayAndTime(hindrance.handedOverAt, language))
  return <small>{t('notPossible', { why })}</small>
}
