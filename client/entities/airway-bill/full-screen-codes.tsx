import { useState } from 'react'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { FullScreenCode } from './full-screen-code.tsx'

interface ShownCode {
  readonly awb: string
  readonly orderId: number
  /** In English, as the partner names it. */
  readonly city: string | undefined
  readonly receiver: string | undefined
}

interface FullScreenCodesProps {
  /** At least one. When a barcode leaves the list, the next one is shown in its place. */
  readonly codes: readonly ShownCode[]
  readonly onClose: () => void
}

/** Several barcodes, one at a time. */
export function FullScreenCodes({ codes, onClose }: FullScreenCodesProps) {
  const [last, setLast] = useState({ awb: codes[0]?.awb, index: 0 })
  const known = codes.findIndex(({ awb }) => awb === last.awb)
  // The next one has taken the place of a barcode that has left.
  const index = known === -1 ? Math.min(last.index, codes.length - 1) : known
  const shown = codes[index]
  if (shown === undefined) return null
  const turn = (by: 1 | -1) => {
    const next = codes[index + by]
    if (next !== undefined) setLast({ awb: next.awb, index: index + by })
  }
  return (
    <FullScreenCode
      awb={shown.awb}
      orderNumber={<OrderNumber orderId={shown.orderId} />}
      city={shown.city}
      receiver={shown.receiver}
      onClose={onClose}
      others={codes.length > 1 ? { number: index + 1, total: codes.length, onTurn: turn } : undefined}
    />
  )
}
