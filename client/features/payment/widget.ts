export interface PixelOptions {
  readonly publicKey: string
  readonly clientSecret: string
  readonly paymentMethods: readonly string[]
  readonly elementId: string
  readonly disablePay: boolean
  readonly showSaveCard: boolean
  readonly forceSaveCard: boolean
  readonly beforePaymentComplete: (paymentMethod: string) => Promise<boolean>
  readonly afterPaymentComplete: (response: unknown) => Promise<void>
  readonly onPaymentCancel: (response?: unknown) => void
  readonly customStyle: Readonly<Record<string, unknown>>
}

interface PixelInstance {
  /** Absent in some versions of the provider's script. */
  readonly unmount?: () => void
}

export type PixelConstructor = new (options: PixelOptions) => PixelInstance

declare global {
  interface Window {
    Pixel?: PixelConstructor
  }
}

/** Spec §9. */
export const pollMs = 200

/** On one bar of signal the script takes many seconds; after this long a person deserves a way out. */
const timeoutMs = 15_000

export interface WidgetAssets {
  readonly script: string
  readonly styles: readonly string[]
}

/** Puts the provider's script and styles into the head, each once. */
export function addWidgetAssets({ script, styles }: WidgetAssets): void {
  const present = new Set(
    [...document.head.querySelectorAll('script[src], link[href]')].map(
      (element) => element.getAttribute('src') ?? element.getAttribute('href'),
    ),
  )
  for (const href of styles.filter((style) => !present.has(style))) {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    document.head.append(link)
  }
  if (present.has(script)) return
  const element = document.createElement('script')
  element.type = 'module'
  element.src = script
  element.addEventListener('error', () => {
    element.dataset.failed = ''
  })
  document.head.append(element)
}

/**
 * Waits until the provider's script has set `window.Pixel`. Rejects when the script cannot be loaded, when it has
 * not done so within 15 seconds, or with the signal's reason. Always settles asynchronously, so that an effect cleaned up at once constructs nothing.
 */
export async function waitForPixel(signal: AbortSignal): Promise<PixelConstructor> {
  const startedAt = performance.now()
  await Promise.resolve()
  while (!window.Pixel) {
    if (document.head.querySelector('script[data-failed]'))
      throw new Error('The payment script is out of reach')
    if (performance.now() - startedAt >= timeoutMs) throw new Error('The payment script did not load in time')
    await pause(pollMs)
    signal.throwIfAborted()
  }
  signal.throwIfAborted()
  return window.Pixel
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
