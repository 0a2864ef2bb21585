import { CODE128 } from 'jsbarcode/bin/barcodes/CODE128/index.js'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import awbStyles from './awb.module.css'
import styles from './barcode.module.css'
import { barsOf, quietZone, wholePixelWidth } from './barcode.rules.ts'

/** One character per module: 1 is a bar, 0 a space; without quiet zones. */
export function modulesOf(value: string): string {
  return new CODE128(value, {}).encode().data
}

/** Code 128 as one SVG path: scannable on a phone's screen, and sharp in print. */
export function Barcode({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('awb')
  const data = modulesOf(awb)
  const modules = data.length + 2 * quietZone
  const box = useRef<HTMLSpanElement>(null)
  const width = useWholePixelWidth(box, modules)
  return (
    <span className={styles.code128Box} ref={box}>
      <svg
        className={styles.code128}
        role="img"
        aria-label={t('barcode', { awb })}
        width={width}
        viewBox={`0 0 ${modules} 1`}
        preserveAspectRatio="none"
      >
        <path d={barsOf(data)} />
      </svg>
    </span>
  )
}

/** The barcode with its number. */
export function AwbCode({ awb }: { readonly awb: string }) {
  return (
    <>
      <Barcode awb={awb} />
      <span className={awbStyles.number}>
        <Ltr>{awb}</Ltr>
      </span>
    </>
  )
}

/** Undefined until measured: the barcode then fills its box. */
function useWholePixelWidth(box: RefObject<HTMLElement | null>, modules: number): number | undefined {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    // Called first after the layout of the first frame, which reading the width here would make twice.
    const observer = new ResizeObserver(() => {
      const available = element.clientWidth
      if (available === 0) return
      // Before the frame is drawn.
      flushSync(() => setWidth(wholePixelWidth(modules, available, window.devicePixelRatio)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, modules])
  return width
}
