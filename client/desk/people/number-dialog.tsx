import { Input } from 'antd'
import { useTranslation } from '#client/platform/i18n.ts'
import type { DeskAccount } from '#shared/desk/orders/people.contract.ts'
import { phoneLength } from '#shared/platform/phone.ts'
import { ActDialog } from '../act-dialog.tsx'
import { useDraftFields } from '../drafts.ts'
import { isolated } from '../isolated.ts'
import { Labelled } from '../labelled.tsx'
import { useNotice } from '../notices.tsx'
import { moveNumber, usePersonRefresh } from './people.queries.ts'

interface NumberDialogProps {
  readonly person: DeskAccount
  readonly by: string
  readonly onClose: () => void
}

/** Asks for the new number of a person whose number is gone, and for the reason. */
export function NumberDialog({ person: { userId, name }, by, onClose }: NumberDialogProps) {
  const { t } = useTranslation('desk-people')
  const showNotice = useNotice()
  const place = `number ${userId}`
  const [{ phone }, change] = useDraftFields(by, place, { phone: '' })
  const refresh = usePersonRefresh(userId)
  return (
    <ActDialog
      title={t('act.number.title', { name: isolated(name) })}
      ok={t('act.number.ok')}
      by={by}
      place={place}
      label={t('reason')}
      isReady={phone.trim().length >= phoneLength.min}
      act={(reason, key) => moveNumber(userId, phone.trim(), reason, key)}
      onDone={() => {
        refresh()
        showNotice(t('act.number.done'))
        onClose()
      }}
      onRefused={refresh}
      onClose={onClose}
    >
      <p>{t('act.number.what')}</p>
      <Labelled text={t('act.number.phone')}>
        <Input
          dir="ltr"
          type="tel"
          autoComplete="off"
          maxLength={phoneLength.max}
          value={phone}
          onChange={({ target }) => change({ phone: target.value })}
        />
      </Labelled>
    </ActDialog>
  )
}
