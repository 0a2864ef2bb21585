/** The encoder alone: the package's types cover only its main entry, which brings every other symbology along. */
declare module 'jsbarcode/bin/barcodes/CODE128/index.js' {
  export class CODE128 {
    constructor(data: string, options: { readonly ean128?: boolean; readonly text?: string })
    /** `data` holds one character per module: 1 is a bar, 0 a space. */
    encode(): { readonly data: string; readonly text: string }
  }
}
