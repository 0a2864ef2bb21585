import { type ReactNode, useEffect, useState } from 'react'
import { openShareSheet, whatsAppHref } from '#client/platform/share.ts'
import { Button, ButtonLink } from './button.tsx'

interface ShareButtonProps {
  readonly text: string
  /** Makes a picture to share, where the share sheet takes files. */
  readonly makePicture: () => Promise<File | undefined>
  readonly look?: 'primary' | 'quiet' | undefined
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Opens the system's share sheet with a picture, else with a text; without a share sheet, WhatsApp. */
export function ShareButton({ text, makePicture, ...shown }: ShareButtonProps) {
  const picture = usePicture(makePicture)
  if (!navigator.share) return <ButtonLink {...shown} icon="share" href={whatsAppHref(text)} isNewTab />
  // Some share targets drop the file when there is a text, too.
  const share = () => openShareSheet(picture === undefined ? { text } : { files: [picture] })
  return <Button {...shown} icon="share" onClick={share} />
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
