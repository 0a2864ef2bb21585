import { Button, Dropdown, Flex, type MenuProps, Popover } from 'antd'
import { useRef, useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { formatMoment } from '#client/platform/dates.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { useRoleNames } from '../by.tsx'
import { DeskIcon } from '../desk-icon.tsx'
import { useKeys } from '../keys.ts'
import { useMinute } from '../moment.tsx'
import styles from './actions.module.css'
import { type Act, type Hindrance, isAct, needsTwo, offeredActs, restOf, textOf } from './actions.rules.ts'

export interface ActionsMenuProps {
  order: DeskOrder
  roles: readonly StaffRole[]
  onAct: (act: Act) => void
}

const isHeavy = (act: Act) => act === 'cancel' || act === 'refund' || act === 'write-off'

/** The menu of all acts. An act that is not possible now shows the reason. */
export function ActionsMenu({ order, roles, onAct }: ActionsMenuProps) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  const roleNames = useRoleNames()
  const [isOpen, setIsOpen] = useState(false)
  const isOffline = useConnection() === 'offline'
  const opener = useRef<HTMLButtonElement>(null)
  const offered = offeredActs(order, roles, useMinute())
  const possible = offered.flatMap(({ act, hindrance }) => (hindrance === undefined ? [act] : []))
  const hindered = offered.flatMap(({ act, hindrance }) => (hindrance ? [{ act, hindrance }] : []))
  useKeys({ a: () => setIsOpen(!isOffline && possible.length > 0) })
  const sum = formatMoney(restOf(order), language)
  function whyText(hindrance: Hindrance): string {
    if ('roles' in hindrance) return t('forRoles', { roles: roleNames(hindrance.roles) })
    const why =
      'why' in hindrance
        ? hindrance.why[language]
        : t('handedOver', { time: formatMoment(hindrance.handedOverAt, language) })
    return t('notPossible', { why })
  }
  const item = (act: Act) => ({
    key: act,
    danger: isHeavy(act),
    label: (
      <Flex vertical className={styles.item}>
        <span>{t(`act.${act}.open`)}</span>
        <small>{t(textOf(act, 'hint', needsTwo(act, order)), { sum })}</small>
      </Flex>
    ),
  })
  const light = possible.filter((act) => !isHeavy(act)).map(item)
  const heavy = possible.filter(isHeavy).map(item)
  const items: MenuProps['items'] =
    light.length > 0 && heavy.length > 0 ? [...light, { type: 'divider' }, ...heavy] : [...light, ...heavy]
  return (
    <>
      <Dropdown
        open={isOpen}
        onOpenChange={setIsOpen}
        trigger={['click']}
        autoFocus
        disabled={isOffline || possible.length === 0}
        menu={{
          items,
          onClick({ key, domEvent }) {
            // The menu's button gets the focus now, and Enter would press it, too.
            domEvent.preventDefault()
            setIsOpen(false)
            // The dialog remembers this button and returns the focus to it.
            opener.current?.focus()
            if (isAct(key)) onAct(key)
          },
        }}
      >
        <Button ref={opener} aria-haspopup="menu" aria-expanded={isOpen}>
          {t('title')} <DeskIcon name="chevron" />
        </Button>
      </Dropdown>
      {hindered.length === 0 ? null : (
        <Popover
          trigger="click"
          placement="bottom"
          content={
            <Flex component="dl" vertical gap="small" className={styles.why}>
              {hindered.map(({ act, hindrance }) => (
                <div key={act}>
                  <dt>{t(`act.${act}.open`)}</dt>
                  <dd>{whyText(hindrance)}</dd>
                </div>
              ))}
            </Flex>
          }
        >
          <Button type="link">{t('whyNot')}</Button>
        </Popover>
      )}
    </>
  )
}
