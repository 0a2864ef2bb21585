import type { BarcodeReader } from './barcode-reader.types.ts'

interface BarcodeDetector {
  detect(source: HTMLCanvasElement): Promise<readonly { readonly rawValue: string }[]>
}

declare global {
  // TypeScript's DOM types lack `BarcodeDetector`: only Chromium has it (docs/decisions/0017-own-service-worker.md).
  var BarcodeDetector:
    | {
        new (options: { formats: string[] }): BarcodeDetector
        getSupportedFormats(): Promise<readonly string[]>
      }
    | undefined
}

/**
 * Uses the browser's own reader if it supports Code 128. Otherwise it loads the build's reader with its WebAssembly.
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
    // Some phones without Google's services declare the reader but lack its service.
    return undefined
  }
}
