import { Switch } from 'antd'
import { removeStored, store, useStored } from '#client/platform/browser-storage.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Dialog } from './dialog.tsx'
import styles from './keys-help.module.css'
import type { DeskMenuRow } from './pages.ts'

interface KeysHelpProps {
  readonly rows: readonly DeskMenuRow[]
  readonly onClose: () => void
}

/** Every key, and the switch that turns them off. */
export function KeysHelp({ rows: menu, onClose }: KeysHelpProps) {
  const { t } = useTranslation('desk')
  const isOn = useStored('deskKeys') !== 'off'
  const rows: readonly (readonly [keys: readonly string[], does: string])[] = [
    [['/'], t('keys.search')],
    [['J', 'K'], t('keys.move')],
    [['Enter'], t('keys.open')],
    [['T'], t('keys.take')],
    [['R'], t('keys.release')],
    [['H'], t('keys.hand')],
    [['N'], t('keys.note')],
    [['A'], t('keys.actions')],
    [['G', 'W'], t('keys.lists')],
    ...menu.flatMap(({ key, text }) =>
      key === undefined ? [] : [[['G', key.toUpperCase()], t('keys.go', { page: t(text) })] as const],
    ),
    [['Ctrl', 'Enter'], t('keys.send')],
    [['Esc'], t('keys.close')],
    [['?'], t('keys.all')],
  ]
  return (
    <Dialog open title={t('keys.title')} onCancel={onClose} footer={null}>
      <dl className={styles.keys}>
        {rows.map(([keys, does]) => (
          <div key={does}>
            <dt dir="ltr">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.switch}>
        <Switch
          checked={isOn}
          aria-labelledby="desk-keys"
          onChange={(on) => (on ? removeStored('deskKeys') : store('deskKeys', 'off'))}
        />
        <span id="desk-keys">{t('keys.on')}</span>
      </p>
    </Dialog>
  )
}
