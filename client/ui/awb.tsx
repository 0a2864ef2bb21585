import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { printDocument } from '#client/platform/document.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { brand } from '#shared/platform/brand.ts'
import { Barcode } from './barcode.tsx'
import { Icon } from './icon.tsx'
import { Ltr } from './ltr.tsx'
import './awb.css'
import './awb.texts.ts'
import './buttons.css'

interface AirwayBillProps {
  readonly awb: string
  readonly downloadHref: string
}

/** The whole claim: a number to read out, a barcode to scan, a file to keep. */
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

/** The system's own sheet where there is one, else WhatsApp: what pilgrims and their families use. */
function ShareButton({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('awb')
  const language = useLanguage()
  // Isolates, because the number stands in plain text now: no element keeps its direction.
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
  // Whoever closes the sheet without sharing has changed their mind; that is no failure.
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
}

/** A plain link, because in-app browsers and iOS often refuse files made by scripts. */
export function LabelLink({ awb, href, isPrimary = false }: LabelLinkProps) {
  const { t } = useTranslation('awb')
  return (
    <a className={isPrimary ? 'button button-primary' : 'button'} href={href} download={`AWB-${awb}.pdf`}>
      <Icon name="barcode" />
      {t('download')}
    </a>
  )
}

/** How long "copied" stays before the button offers to copy again. */
const saidForMs = 4_000

function CopyButton({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('awb')
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), saidForMs)
    return () => clearTimeout(timer)
  }, [isCopied])

  // The clipboard exists on secure origins only; without it the number can still be selected by hand.
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
