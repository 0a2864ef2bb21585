import { Button } from 'antd'
import { useTranslation } from '#client/platform/i18n.ts'
import { useCopy } from '#client/platform/share.ts'

/** Copies a text, and says when the browser refused. Without a clipboard there is no button: the text can be selected. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('desk')
  const { isCopied, hasFailed, copy } = useCopy(text)
  if (copy === undefined) return null
  return (
    <>
      <Button size="small" onClick={copy}>
        {t(isCopied ? 'copy.done' : 'copy.action')}
      </Button>
      <span role="status" className={hasFailed ? undefined : 'visually-hidden'}>
        {hasFailed ? t('copy.failed') : isCopied ? t('copy.done') : null}
      </span>
    </>
  )
}
