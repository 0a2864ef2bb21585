import { Descriptions, Flex, Switch } from 'antd'
import { removeStored, store, useStored } from '#client/platform/browser-storage.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Dialog } from './dialog.tsx'
import styles from './keys-help.module.css'
import type { DeskMenuRow } from './pages.ts'

/** The list of all keys, and the switch that turns them off. */
export function KeysHelp({ rows: menu, onClose }: { rows: readonly DeskMenuRow[]; onClose: () => void }) {
  const { t } = useTranslation('desk')
  const isOn = useStored('deskKeys') !== 'off'
  const rows: readonly (readonly [keys: string, does: string])[] = [
    ['/', t('keys.search')],
    ['J K', t('keys.move')],
    ['Enter', t('keys.open')],
    ['T', t('keys.take')],
    ['R', t('keys.release')],
    ['H', t('keys.hand')],
    ['N', t('keys.note')],
    ['A', t('keys.actions')],
    ['G W', t('keys.lists')],
    ...menu.flatMap(({ key, name }) =>
      key === undefined
        ? []
        : [[`G ${key.toUpperCase()}`, t('keys.go', { page: t(`menuOf.${name}`) })] as const],
    ),
    ['Ctrl Enter', t('keys.send')],
    ['Esc', t('keys.close')],
    ['?', t('keys.all')],
  ]
  return (
    <Dialog open title={t('keys.title')} onCancel={onClose} footer={null}>
      <Descriptions
        size="small"
        column={1}
        colon={false}
        classNames={{ label: styles.keys ?? '' }}
        items={rows.map(([keys, does]) => ({
          key: does,
          label: keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>),
          children: does,
        }))}
      />
      <Flex align="center" gap="small">
        <Switch
          checked={isOn}
          aria-labelledby="desk-keys"
          onChange={(on) => (on ? removeStored('deskKeys') : store('deskKeys', 'off'))}
        />
        <span id="desk-keys">{t('keys.on')}</span>
      </Flex>
    </Dialog>
  )
}
