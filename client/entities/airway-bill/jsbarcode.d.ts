/** The encoder alone: the package has types only for its main entry, which includes all symbologies. */
declare module 'jsbarcode/bin/barcodes/CODE128/index.js' {
  export class CODE128 {
    constructor(data: string, options: { readonly ean128?: boolean; readonly text?: string })
    /** `data` holds one character per module: 1 is a bar, 0 a space. */
    encode(): { readonly data: string; readonly text: string }
  }
}
