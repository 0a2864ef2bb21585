import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { printDocument } from '#client/platform/document.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { openShareSheet, useCopy, whatsAppHref } from '#client/platform/share.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import styles from './awb.module.css'

interface AirwayBillActionsProps {
  readonly awb: string
  /** Makes a picture to share, where the share sheet takes files. */
  readonly makePicture: () => Promise<File | undefined>
}

/** Shares, copies and prints the airway bill. */
export function AirwayBillActions({ awb, makePicture }: AirwayBillActionsProps) {
  const { t } = useTranslation('awb')
  return (
    <div className={styles.actions} data-screen>
      <ShareButton awb={awb} makePicture={makePicture} />
      <CopyButton awb={awb} />
      <Button look="quiet" icon="print" onClick={printDocument}>
        {t('print')}
      </Button>
    </div>
  )
}

/** Opens the system's share sheet with a picture, else with a text; without a share sheet, WhatsApp. */
function ShareButton({ awb, makePicture }: AirwayBillActionsProps) {
  const { t } = useTranslation('awb')
  const language = useLanguage()
  const picture = usePicture(makePicture)
  // The bare number, without isolates: they would be copied with it, and no search would find it.
  const text = t('shareText', { awb, name: brand.name[language] })
  if (!navigator.share) {
    return (
      <ButtonLink look="quiet" icon="share" href={whatsAppHref(text)} isNewTab>
        {t('share')}
      </ButtonLink>
    )
  }
  // Some share targets drop the file when there is a text, too.
  const share = () => openShareSheet(picture === undefined ? { text } : { files: [picture] })
  return (
    <Button look="quiet" icon="share" onClick={share}>
      {t('share')}
    </Button>
  )
}

/** Made before the tap: the share sheet opens only while the tap lasts. */
function usePicture(makePicture: () => Promise<File | undefined>): File | undefined {
  const [picture, setPicture] = useState<File>()
  useEffect(() => {
    let isCurrent = true
    setPicture(undefined)
    if (!canShareFiles()) return
    makePicture().then(
      (file) => {
        if (isCurrent) setPicture(file)
      },
      // The text is shared instead.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [makePicture])
  return picture
}

function canShareFiles(): boolean {
  const example = new File([], 'label.png', { type: 'image/png' })
  return navigator.canShare?.({ files: [example] }) ?? false
}

interface LabelLinkProps {
  readonly awb: string
  /** Says below the name that the file is the label. */
  readonly hasHint?: boolean
  /** Default: an outlined button. */
  readonly look?: 'quiet'
  readonly onDownload?: (() => void) | undefined
}

/** A plain link, because in-app browsers and iOS often refuse files made by scripts. */
export function LabelLink({ awb, hasHint = false, look, onDownload }: LabelLinkProps) {
  const { t } = useTranslation('awb')
  const hintId = useId()
  return (
    <span className={styles.file}>
      <ButtonLink
        look={look}
        icon="save"
        href={operationHref(readLabelPdf, { awb }, { download: '1' })}
        download={`AWB-${awb}.pdf`}
        onClick={onDownload}
        aria-describedby={hasHint ? hintId : undefined}
      >
        {t('download')}
      </ButtonLink>
      {hasHint ? (
        // Outside of the link: the specification names the link, and its name is all that it shows.
        <span id={hintId} className={styles.fileHint}>
          {t('saveLabel')}
        </span>
      ) : null}
    </span>
  )
}

function CopyButton({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('awb')
  const { isCopied, copy } = useCopy(awb)
  if (copy === undefined) return null
  return (
    <>
      <Button look="quiet" onClick={copy}>
        {isCopied ? t('copied') : t('copy')}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? t('copied') : null}
      </span>
    </>
  )
}
