import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { BarcodeReader } from './barcode-reader.types.ts'

/** A chunk of its own, with its WebAssembly: only devices without a built-in barcode reader load it. */
export async function openZxingReader(): Promise<BarcodeReader> {
  // Without `locateFile` it would load from a CDN, which the content policy refuses.
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true })
  return async (picture) => {
    const context = picture.getContext('2d', { willReadFrequently: true })
    const pixels = context?.getImageData(0, 0, picture.width, picture.height)
    if (pixels === undefined) return []
    // Without `tryHarder` labels held upside down or slightly blurred are not read (docs/decisions/0017-own-service-worker.md).
    const found = await readBarcodes(pixels, { formats: ['Code128'], tryHarder: true, maxNumberOfSymbols: 2 })
    return found.filter(({ isValid }) => isValid).map(({ text }) => text)
  }
}
