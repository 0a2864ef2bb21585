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

/** After this long without the script the page shows a failure with a button. */
const timeoutMs = 15_000

export interface WidgetAssets {
  readonly script: string
  /** Subresource Integrity: the browser runs no script with another hash. */
  readonly integrity?: string | undefined
  readonly styles: readonly string[]
}

/** Puts the provider's script and styles into the head, each once. */
export function addWidgetAssets({ script, integrity, styles }: WidgetAssets): void {
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
  if (integrity !== undefined) {
    element.integrity = integrity
    // The hash of another origin's script can be checked only when it is fetched with CORS.
    element.crossOrigin = 'anonymous'
  }
  element.addEventListener('error', () => {
    element.dataset.failed = ''
  })
  document.head.append(element)
}

/**
 * Waits until the provider's script has set `window.Pixel`. Rejects when the script fails to load, after 15 seconds, or
 * with the signal's reason. Always settles asynchronously, so that an effect that is cleaned up at once mounts nothing.
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

/**
 * Font, radius and colours of the page in the provider's names. The form stands on white paper in both schemes: the
 * provider's texts and card marks are made for a light ground.
 */
export function widgetTheme(): Readonly<Record<string, string>> {
  const tokens = getComputedStyle(document.documentElement)
  const token = (name: string) => tokens.getPropertyValue(name).trim()
  return {
    Font_Family: token('--font'),
    Color_Container: token('--paper'),
    Color_Primary: token('--paper-primary'),
    Color_Error: token('--paper-error'),
    Color_Border_Input_Fields: token('--paper-line'),
    Color_Border_Payment_Button: token('--paper-primary'),
    Text_Color_For_Label: token('--paper-ink'),
    Text_Color_For_Input_Fields: token('--paper-ink'),
    Text_Color_For_Payment_Button: token('--paper'),
    Color_For_Text_Placeholder: token('--paper-muted'),
    Radius_Border: token('--radius-control').replace('px', ''),
    Width_of_Container: '100%',
  }
}
