/** Reads the Code 128 barcodes of a picture. */
export type BarcodeReader = (picture: HTMLCanvasElement) => Promise<readonly string[]>
