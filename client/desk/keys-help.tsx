import { Modal, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { removeStored, store, useStored } from '#client/platform/browser-storage.ts'
import styles from './keys-help.module.css'
import type { DeskPage } from './pages.ts'

interface KeysHelpProps {
  readonly pages: readonly DeskPage[]
  readonly onClose: () => void
}

/** Every key, and the switch that turns them off. */
export function KeysHelp({ pages, onClose }: KeysHelpProps) {
  const { t } = useTranslation('desk')
  const isOn = useStored('deskKeys') !== 'off'
  const rows: readonly (readonly [keys: readonly string[], does: string])[] = [
    [['/'], t('keys.search')],
    [['J', 'K'], t('keys.move')],
    [['Enter'], t('keys.open')],
    ...pages.flatMap(({ menu }) =>
      menu?.key === undefined
        ? []
        : [[['G', menu.key.toUpperCase()], t('keys.go', { page: t(menu.text) })] as const],
    ),
    [['Esc'], t('keys.close')],
    [['?'], t('keys.all')],
  ]
  return (
    <Modal open title={t('keys.title')} onCancel={onClose} footer={null}>
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
    </Modal>
  )
}
