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

/**
 * `copy` is undefined where there is no clipboard, as on insecure origins: the text can still be selected. `hasFailed`:
 * the browser refused the last press.
 */
export function useCopy(text: string) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (result === undefined) return
    const timer = setTimeout(() => setResult(undefined), saidForMs)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setResult('copied'),
      () => setResult('failed'),
    )
  return {
    isCopied: result === 'copied',
    hasFailed: result === 'failed',
    copy: navigator.clipboard ? copy : undefined,
  }
}
