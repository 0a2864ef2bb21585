import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { printDocument } from '#client/platform/document.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { brand } from '#shared/platform/brand.ts'
import { Barcode } from './barcode.tsx'
import './awb.css'
import './awb.texts.ts'
import '#client/ui/buttons.css'

interface AirwayBillProps {
  readonly awb: string
  readonly downloadHref: string
}

/** The airway bill as number, barcode and PDF, with buttons to copy, share and print. */
export function AirwayBill({ awb, downloadHref }: AirwayBillProps) {
  const { t } = useTranslation('awb')
  return (
    <div className="awb">
      <p className="awb-label">{t('number')}</p>
      <p className="awb-number">
        <Ltr>{awb}</Ltr>
      </p>
      <Barcode value={awb} label={t('barcode', { awb })} />
      <div className="awb-actions">
        <LabelLink awb={awb} href={downloadHref} isPrimary />
        <CopyButton awb={awb} />
        <ShareButton awb={awb} />
        <button type="button" className="button" onClick={printDocument}>
          <Icon name="print" />
          {t('print')}
        </button>
      </div>
    </div>
  )
}

/** Opens the system's share sheet where supported, else WhatsApp. */
function ShareButton({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('awb')
  const language = useLanguage()
  // Unicode isolates: in plain text no element sets the number's direction.
  const text = t('shareText', { awb: `\u2066${awb}\u2069`, name: brand.name[language] })
  const face = (
    <>
      <Icon name="share" />
      {t('share')}
    </>
  )
  if (!navigator.share) {
    return (
      <a className="button" href={whatsAppHref(text)} target="_blank" rel="noopener">
        {face}
      </a>
    )
  }
  // Rejects when the sheet is closed without sharing, which is no failure.
  const share = () => void navigator.share({ text }).catch(() => undefined)
  return (
    <button type="button" className="button" onClick={share}>
      {face}
    </button>
  )
}

function whatsAppHref(text: string): string {
  return `https://wa.me/?${new URLSearchParams({ text })}`
}

interface LabelLinkProps {
  readonly awb: string
  readonly href: string
  readonly isPrimary?: boolean
  readonly onDownload?: (() => void) | undefined
}

/** A plain link, because in-app browsers and iOS often refuse files made by scripts. */
export function LabelLink({ awb, href, isPrimary = false, onDownload }: LabelLinkProps) {
  const { t } = useTranslation('awb')
  return (
    <a
      className={isPrimary ? 'button button-primary' : 'button'}
      href={href}
      download={`AWB-${awb}.pdf`}
      onClick={onDownload}
    >
      <Icon name="barcode" />
      {t('download')}
    </a>
  )
}

/** How long the button shows that the number was copied. */
const saidForMs = 4_000

function CopyButton({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('awb')
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), saidForMs)
    return () => clearTimeout(timer)
  }, [isCopied])

  // The clipboard is undefined on insecure origins; the number can still be selected.
  if (!navigator.clipboard) return null
  const copy = () => {
    navigator.clipboard.writeText(awb).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <>
      <button type="button" className="button awb-copy" onClick={copy}>
        {isCopied ? t('copied') : t('copy')}
      </button>
      <span className="visually-hidden" role="status">
        {isCopied ? t('copied') : null}
      </span>
    </>
  )
}
