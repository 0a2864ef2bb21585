import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

export interface ReadLabel {
  /** All text of the page as a PDF viewer copies it, Arabic in reading order; columns side by side share a line. */
  readonly text: string
  /** What a scanner reads from the printed page; `undefined` if there is no Code 128 it can read. */
  readonly barcode: string | undefined
  readonly pageSizeMm: { readonly width: number; readonly height: number }
}

/** A rendered page: rows of pixels of four bytes, in black, white and grey. */
export interface PrintedPage {
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
  /** Whether there is any ink in a rectangle, in millimetres from the top left corner. */
  hasInk(area: { x: number; y: number; width: number; height: number }): boolean
}

/** Dots per inch of a common thermal printer: what is readable at this resolution is readable on paper. */
const printerDpi = 203
const pointsPerInch = 72
const mmPerInch = 25.4

/** Lighter than this is paper (0 is black). */
const paperFrom = 128

let pdfium: Promise<PDFiumLibrary> | undefined
let zxing: Promise<unknown> | undefined

/** Reads a label as users do: renders the page, scans the barcode, copies the text. @throws unless it has one page. */
export async function readLabel(pdf: Uint8Array): Promise<ReadLabel> {
  await barcodeReader()
  const { width, height, bytes } = await printPage(pdf)
  const [found] = await readBarcodes(
    { data: new Uint8ClampedArray(bytes), width, height, colorSpace: 'srgb' },
    { formats: ['Code128'], tryHarder: true },
  )
  return withOnePage(pdf, async (document) => {
    const page = document.getPage(0)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    return {
      text: page.getText(),
      barcode: found?.text,
      pageSizeMm: {
        width: (originalWidth / pointsPerInch) * mmPerInch,
        height: (originalHeight / pointsPerInch) * mmPerInch,
      },
    }
  })
}

export async function printPage(pdf: Uint8Array, dpi = printerDpi): Promise<PrintedPage> {
  return withOnePage(pdf, async (document) => {
    // The library closes a page when it renders it, so the page cannot be used afterwards.
    const { width, height, data } = await document.getPage(0).render({ scale: dpi / pointsPerInch })
    const dots = (mm: number) => Math.round((mm / mmPerInch) * dpi)
    return {
      width,
      height,
      bytes: data,
      hasInk(area) {
        const right = Math.min(width, dots(area.x + area.width))
        const bottom = Math.min(height, dots(area.y + area.height))
        for (let row = dots(area.y); row < bottom; row += 1) {
          for (let column = dots(area.x); column < right; column += 1) {
            if ((data[(row * width + column) * 4] ?? 0) < paperFrom) return true
          }
        }
        return false
      },
    }
  })
}

export interface ReadPage {
  readonly text: string
  /** What a phone reads from the printed page; `undefined` if there is no QR code it can read. */
  readonly code: string | undefined
}

/** Reads each page of a receipt as users do: copies the text, scans the QR code. */
export async function readPages(pdf: Uint8Array): Promise<ReadPage[]> {
  await barcodeReader()
  pdfium ??= PDFiumLibrary.init()
  const document = await (await pdfium).loadDocument(pdf)
  try {
    const pages: ReadPage[] = []
    for (let index = 0; index < document.getPageCount(); index += 1) {
      const text = document.getPage(index).getText()
      const { width, height, data } = await document
        .getPage(index)
        .render({ scale: printerDpi / pointsPerInch })
      const [found] = await readBarcodes(
        { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' },
        { formats: ['QRCode'], tryHarder: true },
      )
      pages.push({ text, code: found?.text })
    }
    return pages
  } finally {
    document.destroy()
  }
}

async function withOnePage<T>(pdf: Uint8Array, read: (document: PDFiumDocument) => Promise<T>): Promise<T> {
  pdfium ??= PDFiumLibrary.init()
  const document = await (await pdfium).loadDocument(pdf)
  try {
    if (document.getPageCount() !== 1) throw new Error(`expected one page, found ${document.getPageCount()}`)
    return await read(document)
  } finally {
    document.destroy()
  }
}

/** What a scanner reads from a PNG picture of a screen; `undefined` if there is no Code 128 it can read. */
export async function readScreen(png: Uint8Array): Promise<string | undefined> {
  await barcodeReader()
  const [found] = await readBarcodes(png, { formats: ['Code128'], tryHarder: true })
  return found?.text
}

function barcodeReader(): Promise<unknown> {
  zxing ??= loadBarcodeReader()
  return zxing
}

/** Without this, the barcode reader would load its WebAssembly from the network. */
async function loadBarcodeReader(): Promise<unknown> {
  const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
  return prepareZXingModule({ overrides: { wasmBinary: await readFile(file) }, fireImmediately: true })
}
