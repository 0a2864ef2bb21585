import { CODE128 } from 'jsbarcode/bin/barcodes/CODE128/index.js'
import './barcode.css'

/** Modules of white a scanner needs on both sides to find the start (ISO/IEC 15417 asks for ten). */
const quietZone = 10

interface BarcodeProps {
  readonly value: string
  /** What a screen reader says instead of the bars. */
  readonly label: string
}

/** Code 128 as one path: it reads from a phone's screen without the PDF, and prints sharp at any size. */
export function Barcode({ value, label }: BarcodeProps) {
  const { data } = new CODE128(value, {}).encode()
  const width = data.length + 2 * quietZone
  return (
    <svg
      className="code128"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} 1`}
      preserveAspectRatio="none"
    >
      <path d={barsOf(data)} />
    </svg>
  )
}

/** Runs of ones become rectangles of height one; the picture is stretched to its place. */
export function barsOf(modules: string): string {
  return [...modules.matchAll(/1+/g)]
    .map((run) => `M${run.index + quietZone} 0h${run[0].length}v1h-${run[0].length}z`)
    .join('')
}
