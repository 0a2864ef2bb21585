// Contrary to its types, the named export `raw` of this package is a symbology: the function is on the default export.
import bwip from 'bwip-js/node'

/** Widths of a Code 128 symbol in modules, bar and space in turn, beginning and ending with a bar. */
type BarcodeModules = readonly number[]

/**
 * @param digits an even number of digits, so that set C carries two in each symbol: twelve make 101 modules
 * @throws for any other text
 */
export function code128Modules(digits: string): BarcodeModules {
  if (!/^(\d\d)+$/.test(digits)) throw new TypeError('set C carries pairs of digits only')
  const [symbol] = bwip.raw({ bcid: 'code128', text: digits })
  if (symbol === undefined || !('sbs' in symbol)) throw new Error('the barcode library gave no bars')
  return symbol.sbs
}
