import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/platform/connection.ts'
import { formatDay, formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import type { DeskOrder } from '#shared/desk-orders/desk-orders.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { DeskIcon } from '../desk-icon.tsx'
import { useKeys } from '../keys.ts'
import { timeInRiyadh } from '../times.ts'
import styles from './actions.module.css'
import { type Act, type Hindrance, isAct, offeredActs } from './actions.rules.ts'

interface ActionsMenuProps {
  readonly order: DeskOrder
  readonly roles: readonly StaffRole[]
  readonly onAct: (act: Act) => void
}

/** What can be done about an order; what cannot be done now says why. */
export function ActionsMenu({ order, roles, onAct }: ActionsMenuProps) {
  const { t } = useTranslation('desk-actions')
  const [isOpen, setIsOpen] = useState(false)
  const isOffline = useConnection() === 'offline'
  useKeys({ a: () => setIsOpen(!isOffline) })
  const offered = offeredActs(order, roles)
  const item = (act: Act, hindrance: Hindrance | undefined) => ({
    key: act,
    disabled: hindrance !== undefined,
    label: (
      <span className={styles.item}>
        {t(`act.${act}.open`)}
        <ActHint act={act} hindrance={hindrance} amountHalalas={order.amountHalalas} />
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
      onOpenChange={setIsOpen}
      trigger={['click']}
      autoFocus
      disabled={isOffline}
      menu={{
        items: [
          ...light.map(({ act, hindrance }) => item(act, hindrance)),
          ...(heavy.length === 0 ? [] : [{ type: 'divider' as const }]),
          ...heavy.map(({ act, hindrance }) => ({ ...item(act, hindrance), danger: true })),
        ],
        onClick: ({ key }) => {
          setIsOpen(false)
          if (isAct(key)) onAct(key)
        },
      }}
    >
      <Button aria-haspopup="menu" aria-expanded={isOpen}>
        {t('title')} <DeskIcon name="chevron" />
      </Button>
    </Dropdown>
  )
}

interface HintProps {
  readonly act: Act
  readonly hindrance: Hindrance | undefined
  readonly amountHalalas: number
}

function ActHint({ act, hindrance, amountHalalas }: HintProps) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  if (hindrance === undefined) {
    const sum = formatMoney(amountHalalas, language)
    return <small>{t(`act.${act}.hint`, { sum })}</small>
  }
  const why =
    'why' in hindrance
      ? hindrance.why[language]
      : t('handedOver', {
          day: formatDay(hindrance.handedOverAt, language),
          time: timeInRiyadh(hindrance.handedOverAt),
        })
  return <small>{t('notPossible', { why })}</small>
}
