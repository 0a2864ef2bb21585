import { type ReactNode, useId } from 'react'
import layout from '#client/ui/layout.module.css'
import tagStyles from '#client/ui/tag.module.css'
import { TentPattern, tentRow } from '#client/ui/tents.tsx'
import styles from './home.module.css'

/** Position and size of each row of tents, from the horizon to the front. */
const rows = [
  [0, 1, 0.2],
  [6, 5.6, 0.25],
  [0, 11.4, 0.313],
  [9.4, 18.5, 0.391],
  [0, 27.5, 0.488],
  [14.6, 38.8, 0.61],
  [0, 52.8, 0.763],
  [22.9, 70.3, 0.954],
  [0, 92.3, 1.192],
  [35.8, 119.7, 1.49],
  [0, 154, 1.863],
] as const

const farRidge =
  'M-720 2V-18L-675-11-629-12-600-18-551-18-523-26-487-27-436-21-417-19-375-10-348-9-298-18-279-24-247-22-201-25-172-25-137-25-115-26-81-27-59-23-22-18 27-22 48-21 71-23 106-25 124-18 141-24 161-24 203-26 232-20 266-24 302-27 345-22 369-27 392-27 438-21 466-18 495-19 524-9 549-11 590-18 633-9 650-14 686-9 704-15 720-9V2Z'
const nearRidge =
  'M-720 3V-7L-659-5-630-10-598-12-559-12-497-12-456-12-429-12-369-10-346-9-300-8-269-3-216-2-185-2-151-2-109-2-47-5-12-9 51-4 86-2 133-2 194-7 220-11 245-11 284-12 352-12 401-8 462-9 518-12 587-7 618-10 676-8 720-7V3Z'

/** Mina at dawn: ridges, then rows of tents that grow towards the front. */
export function HeroLand() {
  const id = useId()
  const far = `${id}far`
  const near = `${id}near`
  const haze = `${id}haze`
  const tents = `${id}tents`
  return (
    <svg className={styles.heroLand} aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id={far} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="-28" y2="2">
          <stop stopColor="var(--ridge-far)" />
          <stop stopColor="var(--ridge-foot)" offset="1" />
        </linearGradient>
        <linearGradient id={near} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="-14" y2="3">
          <stop stopColor="var(--ridge-near)" />
          <stop stopColor="var(--ridge-foot)" offset="1" />
        </linearGradient>
        <linearGradient id={haze} x2="0" y2="1">
          <stop stopColor="var(--haze)" stopOpacity="0" />
          <stop stopColor="var(--haze)" offset=".3" stopOpacity=".85" />
          <stop stopColor="var(--haze)" offset="1" stopOpacity="0" />
        </linearGradient>
        <TentPattern id={tents} />
      </defs>
      <svg x="50%" overflow="visible" aria-hidden="true">
        <g className={styles.heroScale}>
          {/* The ridges are stretched, so that they reach across wide screens. */}
          <path fill={`url(#${far})`} transform="scale(2 1)" d={farRidge} />
          <path fill={`url(#${near})`} transform="scale(2 1)" d={nearRidge} />
          <path fill="var(--camp)" d="M-2000 0h4000v240h-4000z" />
          {rows.map(([x, y, scale]) => (
            <path
              key={y}
              fill={`url(#${tents})`}
              transform={`translate(${x} ${y}) scale(${scale})`}
              d={tentRow}
            />
          ))}
          <path fill={`url(#${haze})`} d="M-2000-14h4000v50h-4000z" />
        </g>
      </svg>
    </svg>
  )
}

/** The thread from the wordmark carries the tag. It has one curve for phones and one for the wide poster from 1024 px on. */
export function HangingTag({ children, note }: { readonly children: ReactNode; readonly note: ReactNode }) {
  return (
    <div className={styles.hangingTag}>
      <svg
        className={`${styles.heroCord} ${styles.heroCordNarrow}`}
        viewBox="0 0 354 56"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path vectorEffect="non-scaling-stroke" d="M353 0C353 34 286 30 178 28C110 27 50 26 -6 2" />
      </svg>
      <svg
        className={`${styles.heroCord} ${styles.heroCordWide}`}
        viewBox="0 0 1224 140"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path
          vectorEffect="non-scaling-stroke"
          d="M1222.75 0V4C1222.75 46 1120 32 960 28C700 22 560 120 328 126C190 129 80 88 -10 30"
        />
      </svg>
      <div className={styles.tag}>
        <svg className={styles.loop} viewBox="0 0 24 52" aria-hidden="true" focusable="false">
          <path d="M9 2Q7 26 12 46Q17 26 15 2" />
        </svg>
        <div className={`${tagStyles.upright} ${styles.tagPaper}`}>
          <i className={styles.eyelet} aria-hidden="true" />
          {children}
          <div className={`${layout.cluster} ${layout.gap2} ${styles.tagFoot}`}>
            <div className={styles.bars} aria-hidden="true" />
            {note}
          </div>
        </div>
      </div>
    </div>
  )
}
