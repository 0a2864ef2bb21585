import { CODE128 } from 'jsbarcode/bin/barcodes/CODE128/index.js'
import './barcode.css'

/** White modules on both sides (ISO/IEC 15417: at least ten). */
const quietZone = 10

interface BarcodeProps {
  readonly value: string
  /** The text alternative, for screen readers. */
  readonly label: string
}

/** Code 128 as one SVG path: scannable on a phone's screen, and sharp in print. */
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

/** SVG path data: each run of ones is a rectangle of height 1; the viewBox is stretched to its container. */
export function barsOf(modules: string): string {
  return [...modules.matchAll(/1+/g)]
    .map((run) => `M${run.index + quietZone} 0h${run[0].length}v1h-${run[0].length}z`)
    .join('')
}
