import type { RefObject } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import fieldStyles from './field.module.css'
import { Icon } from './icon.tsx'
import layout from './layout.module.css'

interface EmptySearchProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly search: string
  readonly onEmpty: () => void
}

/** Empties a search field, which keeps the focus. The browser's own cross is hidden: it has no name and is too small. */
export function EmptySearch({ field, search, onEmpty }: EmptySearchProps) {
  const { t } = useTranslation('ui')
  if (search === '') return null
  const empty = () => {
    onEmpty()
    field.current?.focus()
  }
  return (
    <button
      type="button"
      className={`${layout.grid} ${fieldStyles.empty}`}
      aria-label={t('emptySearch')}
      onClick={empty}
    >
      <Icon name="cross" />
    </button>
  )
}
