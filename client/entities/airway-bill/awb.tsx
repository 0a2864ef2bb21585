import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { expectFile, isCallProblem } from '#client/platform/call.ts'
import { printDocument } from '#client/platform/document.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { isTransient } from '#client/platform/query-client.ts'
import { useCopy } from '#client/platform/share.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { Problem } from '#client/ui/problem.tsx'
import { ShareButton } from '#client/ui/share-button.tsx'
import { labelFileName } from '#shared/orders/label-file.ts'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import styles from './awb.module.css'

interface AirwayBillActionsProps {
  readonly awb: string
  /** Makes a picture to share, where the share sheet takes files. `undefined` once the barcode is no longer needed. */
  readonly makePicture: (() => Promise<File | undefined>) | undefined
}

/** Shares, copies and prints the airway bill. */
export function AirwayBillActions({ awb, makePicture }: AirwayBillActionsProps) {
  const { t } = useTranslation('awb')
  const language = useLanguage()
  return (
    <div className={`${layout.cluster} ${styles.actions}`} data-screen>
      {/* The bare number, without isolates: they would be copied with it, and no search would find it. */}
      {makePicture === undefined ? null : (
        <ShareButton
          look="quiet"
          text={t('shareText', { awb, name: brand.name[language] })}
          makePicture={makePicture}
        >
          {t('share')}
        </ShareButton>
      )}
      <CopyButton awb={awb} />
      <Button look="quiet" icon="print" onClick={printDocument}>
        {t('print')}
      </Button>
    </div>
  )
}

interface LabelLinkProps {
  readonly awb: string
  /** The shipping partner has not sent the file yet. */
  readonly isPending: boolean | undefined
  /** Default: an outlined button. */
  readonly look?: 'quiet'
  /** Called when the server has answered about the file. */
  readonly onDownload?: (() => void) | undefined
}

/** A plain link, because in-app browsers and iOS often refuse files made by scripts. */
export function LabelLink({ awb, isPending = false, look, onDownload }: LabelLinkProps) {
  const { t } = useTranslation('awb')
  const hintId = useId()
  // The browser does not report a download that fails, so a second request asks whether the file can be read.
  const check = useMutation({
    mutationFn: () => expectFile(readLabelPdf, { params: { awb } }),
    onSettled: (_, error) => {
      // While the server does not answer, reading the list again would fail and take this link away.
      if (!isTransient(error) || isNotReady(error)) onDownload?.()
    },
  })
  return (
    <div className={layout.grid}>
      <ButtonLink
        look={look}
        icon="save"
        href={isPending ? undefined : operationHref(readLabelPdf, { awb }, { download: '1' })}
        download={labelFileName(awb)}
        onClick={isPending ? undefined : () => check.mutate()}
        aria-describedby={isPending ? hintId : undefined}
      >
        {t('download')}
      </ButtonLink>
      {isPending ? (
        <span id={hintId} className={styles.fileHint}>
          {t('labelPending')}
        </span>
      ) : null}
      <Problem error={check.error} className={styles.fileProblem} />
    </div>
  )
}

const isNotReady = (error: unknown) => isCallProblem(error) && error.code === 'LABEL_NOT_READY'

function CopyButton({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('awb')
  const { isCopied, hasFailed, copy } = useCopy(awb)
  if (copy === undefined) return null
  return (
    <>
      <Button look="quiet" onClick={copy}>
        {isCopied ? t('copied') : t('copy')}
      </Button>
      <span className={hasFailed ? styles.fileProblem : 'visually-hidden'} role="status">
        {hasFailed ? t('notCopied') : isCopied ? t('copied') : null}
      </span>
    </>
  )
}
