import type { BarcodeReader } from './barcode-reader.types.ts'

interface BarcodeDetector {
  detect(source: HTMLCanvasElement): Promise<readonly { readonly rawValue: string }[]>
}

declare global {
  // Not in TypeScript's DOM types: Chromium only (docs/decisions/0020-agent-scan.md).
  var BarcodeDetector:
    | {
        new (options: { formats: string[] }): BarcodeDetector
        getSupportedFormats(): Promise<readonly string[]>
      }
    | undefined
}

/**
 * The browser's own reader where it knows Code 128, else the one of the build, whose WebAssembly is loaded now.
 * @throws when it cannot be loaded.
 */
export async function openBarcodeReader(): Promise<BarcodeReader> {
  const own = await browserReader()
  if (own !== undefined) return own
  const { openZxingReader } = await import('./zxing-reader.ts')
  return openZxingReader()
}

async function browserReader(): Promise<BarcodeReader | undefined> {
  const { BarcodeDetector } = globalThis
  if (BarcodeDetector === undefined) return undefined
  try {
    const formats = await BarcodeDetector.getSupportedFormats()
    if (!formats.includes('code_128')) return undefined
    const detector = new BarcodeDetector({ formats: ['code_128'] })
    return async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue)
  } catch {
    // Declared but without its service, as on some phones without Google's.
    return undefined
  }
}
