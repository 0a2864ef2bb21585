import { useEffect, useState } from 'react'

export function whatsAppHref(text: string): string {
  return `https://wa.me/?${new URLSearchParams({ text })}`
}

/** Opens the system's share sheet. It also rejects when it is closed without sharing, which is no failure. */
export function openShareSheet(data: ShareData): void {
  navigator.share(data).catch(() => undefined)
}

/** How long a button shows that its text was copied. */
const saidForMs = 4_000

/** `copy` is undefined where there is no clipboard, as on insecure origins: the text can still be selected. */
export function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), saidForMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return { isCopied, copy: navigator.clipboard ? copy : undefined }
}
